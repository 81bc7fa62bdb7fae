import type { Executor } from '@codeact/spec'
import { completeConfig } from './complete-config.ts'
import type { Config, LoadedConfig } from './config.ts'
import { resolveChoice } from './resolve-choice.ts'

/**
 * The executor of a config, its package loaded; `wasm` when it names none. Nothing is started: its sandboxes open later.
 *
 * @throws CodeActError `PACKAGE_MISSING`
 */
export async function resolveExecutor(config: Config | LoadedConfig): Promise<Executor> {
  const loaded = completeConfig(config)
  return resolveChoice('executor', loaded.executor, loaded.folder)
}
