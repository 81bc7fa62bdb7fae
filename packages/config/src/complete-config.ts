import { type CheckedConfig, checkConfig } from './check-config.ts'
import type { Config, LoadedConfig } from './config.ts'

/** A config that a program wrote itself, as if it had been loaded from a file in the working directory. */
export function completeConfig(config: Config | LoadedConfig): LoadedConfig {
  if ('folder' in config) return config
  const folder = process.cwd()
  const checked = checkConfig(config, { name: 'config', fix: 'Correct it where it is written.', folder })
  return { ...withDefaults(checked), folder }
}

export function withDefaults(config: CheckedConfig): Omit<LoadedConfig, 'folder'> {
  return { ...config, parser: config.parser ?? { name: 'xml' }, executor: config.executor ?? { name: 'wasm' } }
}
