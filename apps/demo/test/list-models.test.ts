import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { answered, modelServer } from '@codeact/testing'
import { afterAll, expect, test } from 'vitest'
import { runCli } from './cli.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
const data = ['llama3:8b', 'qwen3-coder'].map((id) => ({ id, object: 'model', created: 1, owned_by: 'me' }))
const server = await modelServer(answered(200, { object: 'list', data }))
afterAll(() => server[Symbol.asyncDispose]())
const { baseURL, received } = server

const lastAsked = () => [received.at(-1)?.url, received.at(-1)?.headers.authorization]

const list = (args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  runCli(['--list-models', ...args], { cwd: folder, env })

test('asks the server, and prints what --model takes, one a line', async () => {
  const end = await list(['--base-url', baseURL])
  expect(end).toMatchObject({ code: 0, stdout: 'openai:llama3:8b\nopenai:qwen3-coder\n', stderr: '' })
  expect(lastAsked()).toEqual(['/v1/models', 'Bearer none'])
})

test.each(['openai', 'openai:', 'openai:whatever'])('of --model %s the provider counts', async (model) => {
  const end = await list(['--model', model, '--base-url', baseURL], { OPENAI_API_KEY: 'sk-mine' })
  expect(end).toMatchObject({ code: 0, stdout: 'openai:llama3:8b\nopenai:qwen3-coder\n' })
  expect(lastAsked()).toEqual(['/v1/models', 'Bearer sk-mine'])
})

test('the server may come from the environment, the provider from the config file', async () => {
  const file = join(folder, 'other.json')
  await writeFile(file, JSON.stringify({ model: { name: 'openai', model: 'm', apiKey: 'of-the-file' } }))
  const end = await list(['--config', file], { CODEACT_BASE_URL: baseURL })
  expect(end.code).toBe(0)
  expect(lastAsked()).toEqual(['/v1/models', 'Bearer of-the-file'])
})

test.each([
  ['a recording', ['--model', 'replay:x.jsonl'], 'replay has no list of models'],
  ['a provider that there is not', ['--model', 'opnai'], 'Did you mean "openai"?'],
  ['a task beside it', ['Do it.'], 'takes no task'],
])('%s: says so', async (_name, args, words) => {
  const end = await list(args)
  expect(end).toMatchObject({ code: 2, stdout: '' })
  expect(end.stderr).toContain(words)
})
