import type { ActionParser, ParserPicker } from '@codeact/spec'
import { completeConfig } from './complete-config.ts'
import type { Config, LoadedConfig } from './config.ts'
import { resolveChoice } from './resolve-choice.ts'

/**
 * The parser of a config, its package loaded, or what picks one for the model; `xml` when it names none.
 *
 * @throws CodeActError `PACKAGE_MISSING`
 */
export async function resolveParser(config: Config | LoadedConfig): Promise<ActionParser | ParserPicker> {
  const loaded = completeConfig(config)
  return resolveChoice('parser', loaded.parser, loaded.folder)
}
