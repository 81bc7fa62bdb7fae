import { homedir } from 'node:os'
import { join } from 'node:path'

/** Where this user's caches belong, by the conventions of the system; `CODEACT_CACHE_DIR` goes before them. */
export function cacheFolder(
  env: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
): string {
  if (env.CODEACT_CACHE_DIR) return env.CODEACT_CACHE_DIR
  if (platform === 'win32') return join(env.LOCALAPPDATA || join(homedir(), 'AppData', 'Local'), 'codeact', 'Cache')
  if (env.XDG_CACHE_HOME) return join(env.XDG_CACHE_HOME, 'codeact')
  if (platform === 'darwin') return join(homedir(), 'Library', 'Caches', 'codeact')
  return join(homedir(), '.cache', 'codeact')
}
