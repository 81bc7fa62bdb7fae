import type { E2bOptions } from '@codeact/executor-e2b'
import type { LocalOptions } from '@codeact/executor-local'
import type { WasmOptions } from '@codeact/executor-wasm'
import type { AutoOptions, CodeOnlyOptions, FencedOptions, ToolCallOptions, XmlOptions } from '@codeact/parsers'
import type { AnthropicOptions } from '@codeact/provider-anthropic'
import type { OpenAIOptions } from '@codeact/provider-openai'
import type { ReplayOptions } from '@codeact/provider-replay'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { loadAdapter } from '../src/load-adapter.ts'
import { type ExecutorChoice, type ModelChoice, type ParserChoice, type Role, registry } from '../src/registry.ts'

type Chosen<Choice, Name extends string> = Extract<Choice, { name: Name }>
type OptionsOf<Choice, Name extends string, Main extends string = never> = Omit<Chosen<Choice, Name>, 'name' | Main>

test('each adapter takes what a config may hold, and has no option that a config may not hold', () => {
  expectTypeOf<OptionsOf<ExecutorChoice, 'e2b'>>().toExtend<E2bOptions>()
  expectTypeOf<keyof E2bOptions>().toEqualTypeOf<keyof OptionsOf<ExecutorChoice, 'e2b'>>()
  expectTypeOf<OptionsOf<ExecutorChoice, 'local'>>().toExtend<LocalOptions>()
  expectTypeOf<keyof LocalOptions>().toEqualTypeOf<keyof OptionsOf<ExecutorChoice, 'local'>>()
  expectTypeOf<OptionsOf<ExecutorChoice, 'wasm'>>().toExtend<WasmOptions>()
  expectTypeOf<keyof WasmOptions>().toEqualTypeOf<keyof OptionsOf<ExecutorChoice, 'wasm'>>()
  expectTypeOf<OptionsOf<ModelChoice, 'openai', 'model'>>().toExtend<OpenAIOptions>()
  expectTypeOf<keyof OpenAIOptions>().toEqualTypeOf<keyof OptionsOf<ModelChoice, 'openai', 'model'>>()
  expectTypeOf<OptionsOf<ModelChoice, 'anthropic', 'model'>>().toExtend<AnthropicOptions>()
  expectTypeOf<keyof AnthropicOptions>().toEqualTypeOf<keyof OptionsOf<ModelChoice, 'anthropic', 'model'>>()
  expectTypeOf<OptionsOf<ModelChoice, 'replay', 'file'>>().toExtend<ReplayOptions>()
  expectTypeOf<keyof ReplayOptions>().toEqualTypeOf<keyof OptionsOf<ModelChoice, 'replay', 'file'>>()
  expectTypeOf<OptionsOf<ParserChoice, 'xml'>>().toExtend<XmlOptions>()
  expectTypeOf<keyof XmlOptions>().toEqualTypeOf<keyof OptionsOf<ParserChoice, 'xml'>>()
  expectTypeOf<OptionsOf<ParserChoice, 'fenced'>>().toExtend<FencedOptions>()
  expectTypeOf<keyof FencedOptions>().toEqualTypeOf<keyof OptionsOf<ParserChoice, 'fenced'>>()
  expectTypeOf<OptionsOf<ParserChoice, 'code-only'>>().toExtend<CodeOnlyOptions>()
  expectTypeOf<keyof CodeOnlyOptions>().toEqualTypeOf<keyof OptionsOf<ParserChoice, 'code-only'>>()
  expectTypeOf<OptionsOf<ParserChoice, 'tool-call'>>().toExtend<ToolCallOptions>()
  expectTypeOf<keyof ToolCallOptions>().toEqualTypeOf<keyof OptionsOf<ParserChoice, 'tool-call'>>()
  expectTypeOf<OptionsOf<ParserChoice, 'auto'>>().toExtend<AutoOptions>()
  expectTypeOf<keyof AutoOptions>().toEqualTypeOf<keyof OptionsOf<ParserChoice, 'auto'>>()
})

describe('a name leads to a function that is there', () => {
  const names: [Role, string][] = [
    ['model', 'openai'],
    ['model', 'anthropic'],
    ['model', 'replay'],
    ['parser', 'xml'],
    ['parser', 'fenced'],
    ['parser', 'code-only'],
    ['parser', 'tool-call'],
    ['parser', 'auto'],
    ['executor', 'wasm'],
    ['executor', 'local'],
    ['executor', 'e2b'],
  ]
  test.each(names)('%s %s', async (role, name) => {
    const adapter = registry[role][name]
    if (adapter === undefined) throw new Error(`${name} is not in the registry.`)
    expect(typeof (await loadAdapter(name, adapter, import.meta.dirname))).toBe('function')
  })
})
