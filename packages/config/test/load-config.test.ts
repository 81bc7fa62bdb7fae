import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type LoadConfigOptions, loadConfig } from '../src/index.ts'
import { failure, installed, project } from './project.ts'

const load = (cwd: string, options: LoadConfigOptions = {}) => loadConfig({ cwd, env: {}, ...options })

describe('which file', () => {
  test('none: the defaults, from the working directory', async () => {
    await using here = await project()
    expect(await load(here.folder)).toEqual({
      folder: here.folder,
      parser: { name: 'xml' },
      executor: { name: 'wasm' },
    })
  })

  test.each([
    ['codeact.config.json', '{ "limits": { "steps": 7 } }'],
    ['codeact.config.mjs', 'export default { limits: { steps: 7 } }'],
    ['codeact.config.ts', 'const steps: number = 7\nexport default { limits: { steps } } satisfies object'],
  ])('%s is found', async (name, content) => {
    await using here = await project({ [name]: content })
    expect(await load(here.folder)).toMatchObject({
      file: join(here.folder, name),
      folder: here.folder,
      limits: { steps: 7 },
    })
  })

  test('a named one is taken, and is where its packages are looked for', async () => {
    await using here = await project({
      'codeact.config.json': { limits: { steps: 1 } },
      'other/mine.json': { limits: { steps: 2 } },
    })
    const config = await load(here.folder, { file: 'other/mine.json' })
    expect(config).toMatchObject({ limits: { steps: 2 }, folder: join(here.folder, 'other') })
  })

  test('a named one that is missing is an error', async () => {
    await using here = await project({ 'codeact.config.json': {} })
    const error = await failure(() => load(here.folder, { file: 'mine.json' }))
    expect(error.code).toBe('CONFIG_NOT_FOUND')
    expect(error.message).toContain(join(here.folder, 'mine.json'))
  })

  test('two at once are an error that names both', async () => {
    await using here = await project({ 'codeact.config.json': {}, 'codeact.config.ts': 'export default {}' })
    const error = await failure(() => load(here.folder))
    expect(error.code).toBe('CONFIG_INVALID')
    expect(error.message).toContain('codeact.config.ts and codeact.config.json')
    expect(error.hint).toContain('--config codeact.config.ts')
  })

  test('one above the folder is not taken', async () => {
    await using here = await project({ 'codeact.config.json': { limits: { steps: 7 } }, 'inside/x': '' })
    expect((await load(join(here.folder, 'inside'))).file).toBeUndefined()
  })
})

describe('a file of code', () => {
  test('in TypeScript imports its own files and its folder’s packages, which are not evaluated twice', async () => {
    const code = 'globalThis.evaluated = (globalThis.evaluated ?? 0) + 1\nexport const made = globalThis.evaluated'
    await using here = await project({
      ...installed('esm-only', code, { import: './index.js' }),
      'steps.ts': 'export const steps: number[] = [39]',
      'more-steps.ts': "import { steps } from './steps.ts'\nsteps.push(2)",
      'codeact.config.ts': [
        "import { made } from 'esm-only'",
        "import { steps } from './steps.ts'",
        "import './more-steps.ts'",
        "import type { Config } from '@codeact/config'",
        'const config: Config = { limits: { steps: steps[0] + steps[1] + made } }',
        'export default config',
      ].join('\n'),
    })
    expect((await load(here.folder)).limits?.steps).toBe(42)
    const { made } = await import(join(here.folder, 'node_modules/esm-only/index.js'))
    expect(made).toBe(1)
  })

  test('may hold the objects themselves', async () => {
    await using here = await project({
      'codeact.config.ts': [
        "const model = { id: 'mine:1', async *stream() {} }",
        "const parser = { name: 'mine', start() {} }",
        "const executor = { name: 'mine', async open() {} }",
        "const tools = [{ name: 'add', description: '', parameters: { jsonSchema: {} }, execute() {} }]",
        'export default { model, parser, executor, tools }',
      ].join('\n'),
    })
    const config = await load(here.folder)
    expect(config).toMatchObject({ model: { id: 'mine:1' }, parser: { name: 'mine' }, executor: { name: 'mine' } })
    expect(config.tools?.map(({ name }) => name)).toEqual(['add'])
  })

  test.each(['codeact.config.ts', 'codeact.config.mjs'])('%s without a default export is an error', async (name) => {
    await using here = await project({ [name]: 'export const config = {}' })
    const error = await failure(() => load(here.folder))
    expect(error.code).toBe('CONFIG_INVALID')
    expect(error.message).toBe(`${name}: expected a default export, got none`)
  })

  test.each(['codeact.config.ts', 'codeact.config.mjs'])('%s that throws is an error with its words', async (name) => {
    await using here = await project({ [name]: "throw new Error('the words')" })
    const error = await failure(() => load(here.folder))
    expect(error).toMatchObject({ code: 'CONFIG_INVALID', message: `${name}: the words` })
    expect(error.cause).toMatchObject({ message: 'the words' })
  })

  test('that throws a CodeActError (no key, …) throws just that', async () => {
    const code =
      "const error = new Error('no key')\nerror[Symbol.for('@codeact/error')] = true\nerror.code = 'MODEL_KEY_MISSING'\nthrow error"
    await using here = await project({ 'codeact.config.mjs': code })
    expect(await failure(() => load(here.folder))).toMatchObject({ code: 'MODEL_KEY_MISSING', message: 'no key' })
  })
})

describe('a file of data', () => {
  test('JSON with a byte order mark is JSON', async () => {
    await using here = await project({ 'codeact.config.json': '\uFEFF{ "limits": { "steps": 7 } }' })
    expect((await load(here.folder)).limits?.steps).toBe(7)
  })

  test('JSON with a slip says where', async () => {
    await using here = await project({ 'codeact.config.json': '{ "limits": {}, }' })
    const error = await failure(() => load(here.folder))
    expect(error.code).toBe('CONFIG_INVALID')
    expect(error.message).toMatch(/^codeact\.config\.json: .*JSON/)
    expect(error.hint).toContain(join(here.folder, 'codeact.config.json'))
  })

  test('an ending that is not known', async () => {
    await using here = await project({ 'mine.yaml': 'instructions: x' })
    const error = await failure(() => load(here.folder, { file: 'mine.yaml' }))
    expect(error).toMatchObject({ code: 'CONFIG_INVALID' })
    expect(error.message).toContain('.ts, .mjs or .json')
  })
})
