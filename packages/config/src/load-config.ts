import { basename, dirname, resolve } from 'node:path'
import { type CheckedConfig, checkConfig } from './check-config.ts'
import { withDefaults } from './complete-config.ts'
import type { LoadedConfig } from './config.ts'
import type { Origin } from './config-error.ts'
import { findConfig } from './find-config.ts'
import { type ConfigFlags, override } from './overrides.ts'
import { readConfig } from './read-config.ts'

export interface LoadConfigOptions {
  /** Where a config file is looked for, and what relative paths count from. Default: the working directory. */
  readonly cwd?: string
  /** A config file to take in place of the one in `cwd`. */
  readonly file?: string
  /** Default `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** What the command line says. */
  readonly flags?: ConfigFlags
}

/**
 * The config of a folder: `codeact.config.ts`, `.mjs` or `.json`, if there is one. Flags win over the environment, the
 * environment over the file, the file over the defaults.
 *
 * @throws CodeActError `CONFIG_NOT_FOUND`, `CONFIG_INVALID`, `ADAPTER_UNKNOWN`
 */
export async function loadConfig(options: LoadConfigOptions = {}): Promise<LoadedConfig> {
  const { env = process.env, flags = {} } = options
  const cwd = resolve(options.cwd ?? '.')
  const file = findConfig(cwd, options.file)
  const config = file === undefined ? {} : await readChecked(file)
  const folder = file === undefined ? cwd : dirname(file)
  return { ...withDefaults(override(config, flags, env, cwd)), folder, file }
}

async function readChecked(file: string): Promise<CheckedConfig> {
  const origin: Origin = { name: basename(file), fix: `Correct it in ${file}.`, folder: dirname(file) }
  return checkConfig(await readConfig(file, origin), origin)
}
