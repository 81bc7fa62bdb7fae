import { CodeActError, orAborted } from '@codeact/spec'
import { isPart } from './choice.ts'
import { completeConfig } from './complete-config.ts'
import type { Config, LoadedConfig } from './config.ts'
import { loadModule } from './load-adapter.ts'
import { type Adapter, type ModelChoice, registry } from './registry.ts'

/** Asks a vendor, or a server of one's own, for the names of its models. */
type ListModels = (options: Readonly<Record<string, unknown>>) => Promise<readonly string[]>

/**
 * The models that the chosen provider's server has, each as the config would name it: `openai:gpt-5`. Of the chosen model,
 * the provider and the server count, not the name.
 *
 * @throws CodeActError `MODEL_MISSING`; `MODELS_UNKNOWN` where there is nobody to ask; what the provider throws: no key, …
 */
export async function listModels(
  config: Config | LoadedConfig,
  { signal = new AbortController().signal }: { readonly signal?: AbortSignal } = {},
): Promise<readonly string[]> {
  const { model, folder } = completeConfig(config)
  if (model === undefined) {
    throw new CodeActError('MODEL_MISSING', 'Of whom are the models to be listed?', {
      hint: "Name a provider: --model openai:gpt-5, or model: 'openai:gpt-5' in codeact.config.ts.",
    })
  }
  if (isPart('model', model)) throw unknown(`the config holds the model ${model.id} itself`)
  const { name, model: _, ...options } = model as ModelChoice & { readonly model?: string }
  const module = await loadModule(name, registry.model[name] as Adapter, folder)
  if (typeof module.listModels !== 'function') throw unknown(`${name} has no list of models`)
  const names = await orAborted((module.listModels as ListModels)({ ...options, signal }), signal)
  return names.map((one) => `${name}:${one}`)
}

function unknown(reason: string): CodeActError {
  return new CodeActError('MODELS_UNKNOWN', `There is nobody to ask for models: ${reason}.`, {
    hint: 'Name a provider that can be asked: --model openai:gpt-5.',
  })
}
