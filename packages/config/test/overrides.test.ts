import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Config, type LoadConfigOptions, loadConfig } from '../src/index.ts'
import { failure, project } from './project.ts'

async function load(config: Config, options: LoadConfigOptions) {
  await using here = await project({ 'codeact.config.json': config })
  return await loadConfig({ cwd: here.folder, env: {}, ...options })
}

describe('what wins', () => {
  const file: Config = { model: 'openai:of-the-file', parser: 'fenced', executor: 'local' }
  const env = { CODEACT_MODEL: 'openai:of-the-environment', CODEACT_PARSER: 'code-only', CODEACT_EXECUTOR: 'docker' }
  const flags = { model: 'openai:of-the-flag', parser: 'xml', executor: 'e2b' }

  test('a flag over the environment, the environment over the file', async () => {
    const names = async (options: LoadConfigOptions) => {
      const { model, parser, executor } = await load(file, options)
      return [(model as { model: string }).model, parser.name, executor.name]
    }
    expect(await names({})).toEqual(['of-the-file', 'fenced', 'local'])
    expect(await names({ env })).toEqual(['of-the-environment', 'code-only', 'docker'])
    expect(await names({ env, flags })).toEqual(['of-the-flag', 'xml', 'e2b'])
    expect(await names({ env, flags: { parser: 'xml' } })).toEqual(['of-the-environment', 'xml', 'docker'])
  })

  test('what is empty says nothing', async () => {
    const config = await load(file, { env: { CODEACT_EXECUTOR: '' }, flags: { executor: '', parser: undefined } })
    expect(config).toMatchObject({ executor: { name: 'local' }, parser: { name: 'fenced' } })
  })
})

describe('options beside a name that is replaced', () => {
  const limits = { memory: '256m' }

  test('stay when the name is the same', async () => {
    const config = await load(
      {
        model: { name: 'openai', model: 'small', baseURL: 'http://127.0.0.1:1/v1' },
        parser: { name: 'xml', tag: 'run' },
        executor: { name: 'local', isolation: 'none', limits },
      },
      { flags: { model: 'openai:large', parser: 'xml', executor: 'local' } },
    )
    expect(config).toMatchObject({
      model: { name: 'openai', model: 'large', baseURL: 'http://127.0.0.1:1/v1' },
      parser: { name: 'xml', tag: 'run' },
      executor: { name: 'local', isolation: 'none', limits },
    })
  })

  test('of another executor: those stay that mean the same in every one', async () => {
    const executor = {
      name: 'local',
      isolation: 'none',
      python: 'python3',
      limits,
      timeoutMs: 9,
      network: 'none',
    } as const
    const config = await load({ executor }, { flags: { executor: 'wasm' } })
    expect(config.executor).toEqual({ name: 'wasm', limits, timeoutMs: 9, network: 'none' })
  })

  test('of another model or parser: none stays', async () => {
    const config = await load(
      { model: { name: 'openai', model: 'm', apiKey: 'for-openai' }, parser: { name: 'xml', blocks: 'first' } },
      { flags: { model: 'anthropic:m', parser: 'fenced' } },
    )
    expect(config.model).toEqual({ name: 'anthropic', model: 'm' })
    expect(config.parser).toEqual({ name: 'fenced' })
  })

  test('an object stays when it goes by the name, and gives way when it does not', async () => {
    const code =
      "export default { executor: { name: 'local', mine: true, open() {} }, model: { id: 'openai:m', mine: true, stream() {} } }"
    await using here = await project({ 'codeact.config.mjs': code })
    const names = (executor: string, model: string) =>
      loadConfig({ cwd: here.folder, env: {}, flags: { executor, model } })
    expect(await names('local', 'openai:m')).toMatchObject({ executor: { mine: true }, model: { mine: true } })
    const other = await names('wasm', 'openai:n')
    expect(other.executor).toEqual({ name: 'wasm' })
    expect(other.model).toEqual({ name: 'openai', model: 'n' })
  })
})

describe('the base URL', () => {
  const baseURL = 'http://127.0.0.1:11434/v1'

  test('goes to the model, from the flag or the environment', async () => {
    const model = { name: 'openai', model: 'm', baseURL }
    expect((await load({ model: 'openai:m' }, { flags: { baseURL } })).model).toEqual(model)
    expect((await load({ model: 'openai:m' }, { env: { CODEACT_BASE_URL: baseURL } })).model).toEqual(model)
    const both = { env: { CODEACT_BASE_URL: 'http://127.0.0.1:1' }, flags: { baseURL } }
    expect((await load({ model: 'openai:m' }, both)).model).toEqual(model)
  })

  test('of a model that has none: the flag is refused, the variable passed over', async () => {
    const config: Config = { model: 'replay:a.jsonl' }
    const error = await failure(() => load(config, { flags: { baseURL } }))
    expect(error).toMatchObject({ code: 'CONFIG_INVALID', hint: 'Correct --base-url.' })
    expect(error.message).toMatch(/^--base-url: /)
    expect((await load(config, { env: { CODEACT_BASE_URL: baseURL } })).model).not.toHaveProperty('baseURL')
  })

  test('without a model says nothing', async () => {
    expect((await load({}, { flags: { baseURL } })).model).toBeUndefined()
  })
})

describe('a wrong name', () => {
  test('is blamed on the flag or the variable that said it', async () => {
    const byFlag = await failure(() => load({}, { flags: { executor: 'lokal' } }))
    expect(byFlag).toMatchObject({ code: 'ADAPTER_UNKNOWN', message: '--executor: there is no executor "lokal"' })
    expect(byFlag.hint).toContain('Did you mean "local"?')
    const byVariable = await failure(() => load({}, { env: { CODEACT_MODEL: 'openai:' } }))
    expect(byVariable).toMatchObject({ code: 'CONFIG_INVALID', hint: 'Correct CODEACT_MODEL, or unset it.' })
    expect(byVariable.message).toMatch(/^CODEACT_MODEL: expected a name such as "openai:gpt-5"/)
  })

  test('a path in a flag counts from the working directory, not from the file', async () => {
    await using here = await project({ 'sub/codeact.config.json': {} })
    const { model } = await loadConfig({
      cwd: here.folder,
      file: 'sub/codeact.config.json',
      env: {},
      flags: { model: 'replay:a.jsonl' },
    })
    expect(model).toEqual({ name: 'replay', file: join(here.folder, 'a.jsonl') })
  })
})
