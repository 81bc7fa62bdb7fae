import { CodeActError, type LanguageModel } from '@codeact/spec'
import { completeConfig } from './complete-config.ts'
import type { Config, LoadedConfig } from './config.ts'
import { resolveChoice } from './resolve-choice.ts'

/**
 * The model of a config, its package loaded.
 *
 * @throws CodeActError `MODEL_MISSING` when the config names none; `PACKAGE_MISSING`; what the adapter throws: no key, …
 */
export async function resolveModel(config: Config | LoadedConfig): Promise<LanguageModel> {
  const loaded = completeConfig(config)
  if (loaded.model === undefined) throw missing()
  return resolveChoice('model', loaded.model, loaded.folder)
}

function missing(): CodeActError {
  return new CodeActError('MODEL_MISSING', 'No model was chosen.', {
    hint: "Name one: --model openai:gpt-5, CODEACT_MODEL=openai:gpt-5, or model: 'openai:gpt-5' in codeact.config.ts.",
  })
}
