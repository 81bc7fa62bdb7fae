import { type LoadedConfig, listModels, loadConfig } from '@codeact/config'
import type { Flags } from '../command-line.ts'
import { configFlags } from '../config-flags.ts'
import type { Stop } from '../stop.ts'

/** Whose models are listed when nobody was named. */
const DEFAULT_PROVIDER = 'openai'

/** `codeact --list-models`: the names that `--model` takes, one a line, as the provider's server gives them. */
export async function listServedModels(flags: Flags, stop: Stop): Promise<number> {
  const config = await configOf(flags, flags.model)
  const chosen = config.model === undefined ? await configOf(flags, DEFAULT_PROVIDER) : config
  const names = await listModels(chosen, { signal: stop.signal })
  process.stdout.write(names.map((name) => `${name}\n`).join(''))
  return 0
}

/** `--model openai` and `--model openai:` are enough: which model it would be does not matter here. */
function configOf(flags: Flags, model: string | undefined): Promise<LoadedConfig> {
  const named = model === undefined || /:./.test(model) ? model : `${model.replace(/:$/, '')}:any`
  return loadConfig({ file: flags.config, flags: { ...configFlags(flags), model: named } })
}
