import type { ActionParser } from '@codeact/spec'
import { completeConfig } from './complete-config.ts'
import type { Config, LoadedConfig } from './config.ts'
import { resolveChoice } from './resolve-choice.ts'

/**
 * The parser of a config, its package loaded; `xml` when it names none.
 *
 * @throws CodeActError `PACKAGE_MISSING`
 */
export async function resolveParser(config: Config | LoadedConfig): Promise<ActionParser> {
  const loaded = completeConfig(config)
  return resolveChoice('parser', loaded.parser, loaded.folder)
}
