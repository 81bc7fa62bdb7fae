import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { loadConfig, resolveExecutor, resolveModel, resolveParser } from '../src/index.ts'
import { loadAdapter } from '../src/load-adapter.ts'
import { failure, installed, project } from './project.ts'

/** A package whose function shows what it was called with. */
const echo = (name: string, method: string) =>
  `export const ${name} = (...given) => ({ name: 'fake', id: 'fake', given, ${method}() {} })`

const load = (cwd: string) => loadConfig({ cwd, env: {} })

describe('a package', () => {
  test('is taken from the config file’s folder, not from beside this package', async () => {
    await using here = await project({
      ...installed('@codeact/provider-openai', echo('openai', 'stream')),
      ...installed('@codeact/parsers', echo('xml', 'start')),
      ...installed('@codeact/executor-wasm', echo('wasm', 'open')),
      'codeact.config.json': {
        model: { name: 'openai', model: 'm', maxRetries: 0 },
        parser: { name: 'xml', tag: 'run' },
        executor: { name: 'wasm', timeoutMs: 9 },
      },
    })
    const config = await load(here.folder)
    expect(await resolveModel(config)).toMatchObject({ id: 'fake', given: ['m', { maxRetries: 0 }] })
    expect(await resolveParser(config)).toMatchObject({ name: 'fake', given: [{ tag: 'run' }] })
    expect(await resolveExecutor(config)).toMatchObject({ name: 'fake', given: [{ timeoutMs: 9 }] })
  })

  test('is found in a folder above, and through a link', async () => {
    await using here = await project({
      ...installed('@codeact/executor-docker', echo('docker', 'open')),
      'store/executor-e2b/package.json': { name: '@codeact/executor-e2b', type: 'module', exports: './index.js' },
      'store/executor-e2b/index.js': echo('e2b', 'open'),
      'app/docker/codeact.config.json': { executor: 'docker' },
      'app/e2b/codeact.config.json': { executor: 'e2b' },
    })
    await symlink(
      join(here.folder, 'store/executor-e2b'),
      join(here.folder, 'node_modules/@codeact/executor-e2b'),
      'dir',
    )
    for (const name of ['docker', 'e2b']) {
      expect(await resolveExecutor(await load(join(here.folder, 'app', name)))).toMatchObject({ name: 'fake' })
    }
  })

  const forms: [string, unknown][] = [
    ['import alone', { import: './index.js' }],
    ['import before require', { require: './wrong.cjs', import: './index.js' }],
    ['node', { node: './index.js', default: './wrong.js' }],
    ['types first', { types: './index.d.ts', default: './index.js' }],
    ['nested', { node: { import: './index.js' }, default: './wrong.js' }],
    ['a path', './index.js'],
  ]
  test.each(forms)('with exports by %s', async (_name, exports) => {
    await using here = await project({
      ...installed('@codeact/executor-docker', echo('docker', 'open'), exports),
      'codeact.config.json': { executor: 'docker' },
    })
    expect(await resolveExecutor(await load(here.folder))).toMatchObject({ name: 'fake' })
  })

  test('of this workspace, where the folder has none: the very module that others import', async () => {
    await using here = await project()
    const { xml } = await import('@codeact/parsers')
    const parser = await resolveParser(await load(here.folder))
    expect(parser).toMatchObject({ name: 'xml', reply: xml().reply })
  })

  test('is loaded when it is used, and not before', async () => {
    await using here = await project({
      ...installed('@codeact/executor-docker', "throw new Error('loaded')"),
      'codeact.config.json': { executor: 'docker' },
    })
    await load(here.folder)
  })
})

describe('a package that is missing', () => {
  const adapter = { package: '@codeact/provider-none', export: 'none', options: z.object({}) }
  const commands: [string, string][] = [
    ['pnpm-lock.yaml', 'pnpm add @codeact/provider-none'],
    ['yarn.lock', 'yarn add @codeact/provider-none'],
    ['bun.lock', 'bun add @codeact/provider-none'],
    ['bun.lockb', 'bun add @codeact/provider-none'],
    ['package-lock.json', 'npm install @codeact/provider-none'],
    ['nothing', 'npm install @codeact/provider-none'],
  ]
  test.each(commands)('with %s above: %s', async (lockFile, command) => {
    await using here = await project({ [lockFile]: '', 'app/codeact.config.json': {} })
    const error = await failure(() => loadAdapter('none', adapter, join(here.folder, 'app')))
    expect(error).toMatchObject({ code: 'PACKAGE_MISSING', hint: command })
    expect(error.message).toContain('@codeact/provider-none')
  })
})

describe('a package that is there and does not work', () => {
  const faults: [string, string, string][] = [
    ['throws', "throw new Error('the words')", 'the words'],
    ['lacks what it needs', "import 'no-such-package-anywhere'", 'no-such-package-anywhere'],
    ['lacks its function', 'export const other = 1', 'it has no docker()'],
  ]
  test.each(faults)('%s', async (_name, code, words) => {
    await using here = await project({
      ...installed('@codeact/executor-docker', code),
      'codeact.config.json': { executor: 'docker' },
    })
    const config = await load(here.folder)
    const error = await failure(() => resolveExecutor(config))
    expect(error).toMatchObject({ code: 'PACKAGE_BROKEN' })
    expect(error.message).toContain(words)
    expect(error.message).toContain(here.folder)
    expect(error.hint).toContain('npm install @codeact/executor-docker')
  })
})
