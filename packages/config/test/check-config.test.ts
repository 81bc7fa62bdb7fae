import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadConfig } from '../src/index.ts'
import { failure, project } from './project.ts'

async function loadJson(config: unknown) {
  await using here = await project({ 'codeact.config.json': JSON.stringify(config) })
  return await loadConfig({ cwd: here.folder, env: {} })
}

const errorOf = (config: unknown) => failure(() => loadJson(config))

describe('a wrong option is named by its path', () => {
  const SIZE = 'a number of bytes, or a size such as "512m"'
  const MOUNT = 'a folder, or { source: folder, writable: true }'
  const NETWORK = '"none", "full" or { allow: [hosts] }'
  const cases: [unknown, string][] = [
    [null, 'expected an object, got null'],
    [[], 'expected an object, got a list'],
    [{ limits: { steps: 0 } }, 'limits.steps: expected a whole number above 0, got 0'],
    [{ limits: { steps: '7' } }, 'limits.steps: expected a whole number above 0, got "7"'],
    [
      { limits: { tokens: 'all' } },
      'limits.tokens: expected a number of tokens, or { total, input, output, cached }, got "all"',
    ],
    [{ limits: { step: 7 } }, 'limits.step: unknown option; did you mean "steps"?'],
    [{ prices: { 'a:b': { input: 1 } } }, 'prices["a:b"].output: expected US dollars per million tokens, got nothing'],
    [{ instructions: 5 }, 'instructions: expected a text, got 5'],
    [{ tools: {} }, 'tools: expected a list of tools, got an object'],
    [{ tools: [{ name: 'add' }] }, 'tools[0]: expected a tool that tool() made, got an object'],
    [{ executor: 5 }, 'executor: expected a name such as "wasm", { name, …options }, or an Executor, got 5'],
    [{ executor: {} }, 'executor: expected a name such as "wasm", { name, …options }, or an Executor, got an object'],
    [
      { executor: 'wasm:fast' },
      'executor: expected a name such as "wasm", { name, …options }, or an Executor, got "wasm:fast"',
    ],
    [{ executor: { name: 'local', limits: { memory: true } } }, `executor.limits.memory: expected ${SIZE}, got true`],
    [
      { executor: { name: 'local', limits: { memory: '512 megs' } } },
      `executor.limits.memory: expected ${SIZE}, got "512 megs"`,
    ],
    [
      { executor: { name: 'local', limits: { processes: 1.5 } } },
      'executor.limits.processes: expected a whole number above 0, got 1.5',
    ],
    [
      { executor: { name: 'local', timeoutMs: -1 } },
      'executor.timeoutMs: expected a number of milliseconds above 0, got -1',
    ],
    [
      { executor: { name: 'local', isolation: 'some' } },
      'executor.isolation: expected "bubblewrap" or "seatbelt" or "none", got "some"',
    ],
    [
      { executor: { name: 'wasm', network: 'some' } },
      'executor.network: expected "none", "full" or { allow: [hosts] }, got "some"',
    ],
    [
      { executor: { name: 'wasm', mounts: { '/data': 5 } } },
      'executor.mounts["/data"]: expected a folder, or { source: folder, writable: true }, got 5',
    ],
    [{ executor: { name: 'wasm', mounts: { a: '' } } }, `executor.mounts.a: expected ${MOUNT}, got ""`],
    [
      { executor: { name: 'wasm', mounts: { a: { writable: true } } } },
      `executor.mounts.a: expected ${MOUNT}, got an object`,
    ],
    [{ executor: { name: 'wasm', network: { allow: 'all' } } }, `executor.network: expected ${NETWORK}, got an object`],
    [
      { executor: { name: 'wasm', network: { allow: [''] } } },
      `executor.network.allow[0]: expected ${NETWORK}, got ""`,
    ],
    [
      { executor: { name: 'wasm', setup: 'import math' } },
      'executor.setup: expected an object of languages and code, got "import math"',
    ],
    [{ executor: { name: 'wasm', limits: [] } }, 'executor.limits: expected an object, got a list'],
    [{ executor: { name: 'wasm', limits: { output: 0 } } }, `executor.limits.output: expected ${SIZE}, got 0`],
    [{ executor: { name: 'wasm', languages: ['python', 3] } }, 'executor.languages[1]: expected a language, got 3'],
    [{ model: { name: 'openai' } }, 'model.model: expected the name of a model, got nothing'],
    [
      { model: 'openai:' },
      'model: expected a name such as "openai:gpt-5", { name, …options }, or a LanguageModel, got "openai:"',
    ],
    [{ model: { name: 'openai', model: 'm', maxRetries: -1 } }, 'model.maxRetries: expected a whole number, got -1'],
    [{ parser: { name: 'xml', blocks: 'some' } }, 'parser.blocks: expected "all" or "first", got "some"'],
  ]
  test.each(cases)('%j', async (config, message) => {
    const error = await errorOf(config)
    expect(error.code).toBe('CONFIG_INVALID')
    expect(error.message).toBe(`codeact.config.json: ${message}`)
    expect(error.hint).toContain('codeact.config.json')
  })

  test('and so is each of several', async () => {
    const error = await errorOf({ executor: { name: 'local', timeoutMs: '9', limits: { memory: [], cpus: 'all' } } })
    const paths = error.message.split('\n').map((line) => line.split(': ')[1])
    expect(paths.sort()).toEqual(['executor.limits.cpus', 'executor.limits.memory', 'executor.timeoutMs'])
  })
})

describe('an option that is not known', () => {
  test.each([
    [{ exectuor: 'wasm' }, 'exectuor: unknown option; did you mean "executor"?'],
    [
      { executor: { name: 'local', limits: { memroy: '1g' } } },
      'executor.limits.memroy: unknown option; did you mean "memory"?',
    ],
    [{ executor: { name: 'local', timeout: 9 } }, 'executor.timeout: unknown option; did you mean "timeoutMs"?'],
    [{ model: { name: 'openai', model: 'm', baseUrl: 'x' } }, 'model.baseUrl: unknown option; did you mean "baseURL"?'],
    [
      { executor: { name: 'wasm', isolation: 'none' } },
      'executor.isolation: unknown option; known here are name, languages, ',
    ],
    [
      { executor: { name: 'local', mounts: { a: { source: 'b', writeable: true } } } },
      'executor.mounts.a.writeable: unknown option; did you mean "writable"?',
    ],
    [
      { executor: { name: 'local', network: { allow: [], deny: [] } } },
      'executor.network.deny: unknown option; known here are allow',
    ],
    [{ parser: { name: 'code-only', wrap: 1 } }, 'parser.wrap: unknown option; known here are name, language'],
  ])('%j', async (config, message) => {
    const error = await errorOf(config)
    expect(error.code).toBe('CONFIG_INVALID')
    expect(error.message.startsWith(`codeact.config.json: ${message}`)).toBe(true)
  })
})

describe('a name that is not known', () => {
  test.each([
    [
      'executor',
      'dcoker',
      'there is no executor "dcoker"',
      'Did you mean "docker"? Known are wasm, local, docker, docker:IMAGE, e2b, e2b:TEMPLATE.',
    ],
    [
      'parser',
      { name: 'fence' },
      'there is no parser "fence"',
      'Did you mean "fenced"? Known are xml, fenced, code-only, tool-call, auto.',
    ],
    [
      'model',
      'opnai:gpt-5',
      'there is no model provider "opnai"',
      'Did you mean "openai"? Known are openai:MODEL, anthropic:MODEL, replay:FILE.',
    ],
    ['model', 'gpt-5', 'there is no model provider "gpt-5"', 'Known are openai:MODEL, anthropic:MODEL, replay:FILE.'],
    [
      'executor',
      'constructor',
      'there is no executor "constructor"',
      'Known are wasm, local, docker, docker:IMAGE, e2b, e2b:TEMPLATE.',
    ],
  ])('%s: %j', async (role, name, text, hint) => {
    const error = await errorOf({ [role]: name })
    expect(error).toMatchObject({ code: 'ADAPTER_UNKNOWN', message: `codeact.config.json: ${role}: ${text}`, hint })
  })
})

describe('secrets', () => {
  test.each([
    { model: { name: 'openai', model: 'm', apiKey: 1234567890 } },
    { model: { name: 'openai', model: 'm', headers: 'token-1234567890' } },
    { executor: { name: 'local', env: { TOKEN: 1234567890 } } },
    { model: { name: 'openai', model: 'm', baseURL: 1234567890 } },
  ])('are not repeated: %j', async (config) => {
    const error = await errorOf(config)
    expect(error.message).toMatch(/got a (number|string)$/)
    expect(JSON.stringify(error)).not.toContain('1234567890')
  })
})

describe('a config that is right', () => {
  test('names become choices', async () => {
    expect(await loadJson({ model: 'openai:llama3:8b', parser: 'fenced', executor: 'local' })).toMatchObject({
      model: { name: 'openai', model: 'llama3:8b' },
      parser: { name: 'fenced' },
      executor: { name: 'local' },
    })
  })

  test('an executor may carry a detail behind a colon, or not', async () => {
    expect(await loadJson({ executor: 'docker:registry:5000/python:3.13-slim' })).toMatchObject({
      executor: { name: 'docker', image: 'registry:5000/python:3.13-slim' },
    })
    expect((await loadJson({ executor: 'docker' })).executor).toEqual({ name: 'docker' })
    expect((await errorOf({ executor: 'docker:' })).code).toBe('CONFIG_INVALID')
    expect((await errorOf({ executor: 'local:x' })).code).toBe('CONFIG_INVALID')
  })

  test('the folder of a workspace counts from the config', async () => {
    const { executor } = await loadJson({ executor: { name: 'docker', workspace: { mount: 'data' } } })
    expect(executor).toMatchObject({ workspace: { mount: expect.stringMatching(/^\/.+\/data$/) } })
  })

  test('every option passes', async () => {
    const executor = {
      name: 'local',
      languages: ['python', 'bash'],
      timeoutMs: 1000,
      limits: { memory: '512m', cpus: 0.5, processes: 64, files: 256, disk: '1.5 GiB', output: 1048576 },
      network: { allow: ['example.org'] },
      env: { LANG: 'C', EMPTY: '' },
      setup: { python: 'import math' },
      checkpoint: false,
      python: 'python3.12',
      isolation: 'none',
    }
    const model = {
      name: 'openai',
      model: 'm',
      baseURL: 'http://127.0.0.1:1/v1',
      apiKey: 'k',
      headers: { a: 'b' },
      maxRetries: 0,
      request: { temperature: 0, metadata: { list: [1, null] } },
    }
    const parser = { name: 'xml', tag: 'run', language: 'bash', blocks: 'first' }
    expect(
      await loadJson({ model, parser, executor, instructions: 'Be brief.', limits: { steps: 3 }, tools: [] }),
    ).toMatchObject({
      model,
      parser,
      executor,
      instructions: 'Be brief.',
      limits: { steps: 3 },
    })
  })

  test('paths count from the file', async () => {
    const config = {
      model: 'replay:recordings/a.jsonl',
      executor: {
        name: 'local',
        python: './venv/bin/python',
        mounts: { '/data': 'data', '/out': { source: '../out', writable: true }, '/etc/x': '/abs' },
      },
    }
    await using here = await project({ 'sub/codeact.config.json': config })
    const loaded = await loadConfig({ cwd: here.folder, file: 'sub/codeact.config.json', env: {} })
    expect(loaded.model).toEqual({ name: 'replay', file: join(here.folder, 'sub/recordings/a.jsonl') })
    expect(loaded.executor).toEqual({
      name: 'local',
      python: join(here.folder, 'sub/venv/bin/python'),
      mounts: {
        '/data': join(here.folder, 'sub/data'),
        '/out': { source: join(here.folder, 'out'), writable: true },
        '/etc/x': '/abs',
      },
    })
  })
})
