import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, run } from './run.mjs'

/** @param {string} path @returns {{ packageManager: string, bin: Record<string, string> }} */
const manifest = (path) => JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8'))

/**
 * Runs the pnpm that the repository names; npx brings it, so that Node and npm are all a machine needs.
 *
 * @param {...string} args
 */
export async function pnpm(...args) {
  const quiet = '--loglevel=error' // of npm, which has opinions about its user's settings
  return run('npx', ['--yes', quiet, manifest('.').packageManager, ...args], { env: { DO_NOT_TRACK: '1' } })
}

/** Installs exactly what the lock file says. */
export const install = () => pnpm('install', '--frozen-lockfile')

/** Builds what has changed since it was last built. */
export const build = () => pnpm('exec', 'turbo', 'run', 'build', '--ui=stream', '--output-logs=errors-only')

/** @type {Record<string, string>} the commands whose package has another name */
const packages = { attw: '@arethetypeswrong/cli', biome: '@biomejs/biome', tsc: 'typescript' }

/**
 * Runs a tool that is installed in the repository, without a shell or a wrapper between.
 *
 * @param {string} command
 * @param {string[]} [args]
 * @param {{ env?: Record<string, string>, watched?: boolean }} [options]
 */
export async function tool(command, args = [], options = {}) {
  const folder = join('node_modules', packages[command] ?? command)
  const script = manifest(folder).bin[command]
  if (!script) throw new Error(`${folder} has no command named ${command}`)
  return run(process.execPath, [join(root, folder, script), ...args], options)
}
