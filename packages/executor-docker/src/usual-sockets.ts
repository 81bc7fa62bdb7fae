import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Environment, homeFolder } from './config-folder.ts'

const WINDOWS_PIPES = ['//./pipe/docker_engine', '//./pipe/dockerDesktopLinuxEngine']

/**
 * Where Docker listens when nothing is said: the system's own, a rootless one of this user, Docker Desktop; those that exist. What
 * other programs set up, they name by a context.
 */
export function usualSockets(env: Environment): string[] {
  if (process.platform === 'win32') return WINDOWS_PIPES
  const home = join(homeFolder(env), '.docker')
  const runtime = [env.XDG_RUNTIME_DIR, `/run/user/${process.getuid?.()}`].filter((folder) => folder !== undefined)
  const [own = '', ...others] = runtime.map((folder) => join(folder, 'docker.sock'))
  const all = ['/var/run/docker.sock', own, join(home, 'run/docker.sock'), join(home, 'desktop/docker.sock'), ...others]
  return [...new Set(all)].filter((path) => existsSync(path))
}
