import { type LoadedConfig, loadConfig } from '@codeact/config'
import { CodeActError } from '@codeact/spec'
import type { Flags } from './command-line.ts'
import { configFlags } from './config-flags.ts'
import { usageError } from './usage-error.ts'

/** Who speaks when a key is there and nobody was named. */
const DEFAULT_MODEL = 'openai:gpt-5'

/** A config with a model in it. `notice`: what a user should know of how it was chosen. */
export interface ChosenModel {
  readonly config: LoadedConfig
  readonly notice?: string
}

/** The config that flags, environment and file come to. Without a model in it, a key chooses one; else undefined. */
export async function chooseModel(flags: Flags): Promise<ChosenModel | undefined> {
  const said = configFlags(flags)
  const config = await loadConfig({ file: flags.config, flags: said })
  if (config.model !== undefined) return { config }
  if (said.baseURL !== undefined) throw noServedModel()
  if (!process.env.OPENAI_API_KEY) return undefined
  const notice = `No model was named, and OPENAI_API_KEY is set: ${DEFAULT_MODEL} speaks. --model names another.`
  return { config: await loadConfig({ file: flags.config, flags: { ...said, model: DEFAULT_MODEL } }), notice }
}

export function noModel(what: string): CodeActError {
  return new CodeActError('MODEL_MISSING', `No model was named, no key is set, ${what}.`, {
    hint: [
      'With a key of OpenAI:   export OPENAI_API_KEY=sk-…',
      'With a server of yours: --model openai:qwen3-coder --base-url http://localhost:11434/v1',
      'Without either:         codeact tasks plays what was recorded.',
    ].join('\n'),
  })
}

export function noServedModel(): CodeActError {
  return usageError(
    '--base-url needs --model: which model is the server to run?',
    'For example --model openai:qwen3-coder.',
  )
}
