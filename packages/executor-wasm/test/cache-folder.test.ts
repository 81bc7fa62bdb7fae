import { homedir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { cacheFolder } from '../src/cache-folder.ts'

it.each([
  ['the variable goes first', { CODEACT_CACHE_DIR: '/c', XDG_CACHE_HOME: '/x' }, 'linux', '/c'],
  ['Linux by the XDG variable', { XDG_CACHE_HOME: '/x' }, 'linux', join('/x', 'codeact')],
  ['Linux', {}, 'linux', join(homedir(), '.cache', 'codeact')],
  ['macOS', {}, 'darwin', join(homedir(), 'Library', 'Caches', 'codeact')],
  ['Windows', { LOCALAPPDATA: '/local' }, 'win32', join('/local', 'codeact', 'Cache')],
] as const)('the cache folder: %s', (_, env, platform, expected) => {
  expect(cacheFolder(env, platform)).toBe(expected)
})
