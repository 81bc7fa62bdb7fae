import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { helpFor } from '../src/help.ts'
import { runCli } from './cli.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
const here = { cwd: folder }

describe('help', () => {
  test.each([['--help'], ['-h'], ['help'], [undefined]])('%s: what there is', async (flag) => {
    const end = await runCli(flag === undefined ? [] : [flag], here)
    expect(end).toMatchObject({ code: 0, stderr: '' })
    for (const word of ['codeact "task"', 'codeact chat', 'codeact tasks', '--model', '--executor', '--json']) {
      expect(end.stdout).toContain(word)
    }
  })

  test.each(['tasks', 'chat'])('of %s', async (command) => {
    const end = await runCli([command, '--help'], here)
    expect(end.code).toBe(0)
    expect(end.stdout).toMatch(new RegExp(`^codeact ${command}`))
    expect((await runCli(['help', command], here)).stdout).toBe(end.stdout)
  })

  test.each([undefined, 'tasks', 'chat'])('of %s fits into 80 columns', (topic) => {
    expect(
      helpFor(topic)
        .split('\n')
        .filter((line) => line.length > 80),
    ).toEqual([])
  })
})

test('--version is that of the package', async () => {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  expect(await runCli(['--version'], here)).toMatchObject({ code: 0, stdout: `${version}\n`, stderr: '' })
})

describe('what cannot be begun exits with 2, and says what to type', () => {
  test.each([
    ['an executor that there is not', ['Do it.', '--executor', 'wsm', '--model', 'openai:m'], 'Did you mean "wasm"?'],
    ['a model that there is not', ['Do it.', '--model', 'opnai:m'], 'Did you mean "openai"?'],
    ['a parser that there is not', ['Do it.', '--parser', 'xlm'], 'Did you mean "xml"?'],
    ['a config file that is not there', ['Do it.', '--config', 'none.json'], 'none.json'],
    ['a recording that is not there', ['Do it.', '--model', 'replay:none.jsonl'], 'none.jsonl: there is no such file'],
    ['a model that needs a key', ['Do it.', '--model', 'openai:m'], 'OPENAI_API_KEY'],
    ['a server without a model', ['Do it.', '--base-url', 'http://127.0.0.1:9/v1'], '--model openai:'],
    ['a flag that there is not', ['Do it.', '--modell', 'openai:m'], 'Did you mean --model?'],
    ['a command that there is not', ['task'], 'Did you mean tasks?'],
  ])('%s', async (_name, args, hint) => {
    const end = await runCli(args, here)
    expect(end.code).toBe(2)
    expect(end.stdout).toBe('')
    expect(end.stderr).toMatch(/^codeact: /)
    expect(end.stderr).toContain(hint)
    expect(end.stderr).not.toContain('    at ')
  })
})

test('the config file of the folder is read', async () => {
  const file = join(folder, 'codeact.config.json')
  await writeFile(file, JSON.stringify({ executor: { name: 'wasm', timeout: 1 } }))
  const end = await runCli(['tasks'], here)
  expect(end.code).toBe(2)
  expect(end.stderr).toContain('codeact.config.json: executor.timeout')
})
