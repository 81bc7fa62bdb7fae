import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { CodeActError } from '@codeact/spec'

const NAMES = ['codeact.config.ts', 'codeact.config.mjs', 'codeact.config.json']

/**
 * The path of the config file: the named one, else the one in the folder; undefined when there is none.
 *
 * @throws CodeActError `CONFIG_NOT_FOUND` when the named one is missing, `CONFIG_INVALID` when the folder has several
 */
export function findConfig(cwd: string, file: string | undefined): string | undefined {
  if (file !== undefined) return named(resolve(cwd, file))
  const found = NAMES.filter((name) => existsSync(join(cwd, name)))
  if (found.length > 1) throw several(cwd, found)
  return found[0] === undefined ? undefined : join(cwd, found[0])
}

function named(path: string): string {
  if (existsSync(path)) return path
  throw new CodeActError('CONFIG_NOT_FOUND', `There is no config file ${path}.`, {
    hint: `Check the path, or leave it out: then ${NAMES.join(', ')} in the working directory is looked for.`,
  })
}

function several(cwd: string, found: readonly string[]): CodeActError {
  return new CodeActError('CONFIG_INVALID', `There is more than one config file in ${cwd}: ${found.join(' and ')}.`, {
    hint: `Keep one of them, or name the one you mean: --config ${found[0]}`,
  })
}
