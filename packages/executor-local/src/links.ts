import { readlinkSync, realpathSync } from 'node:fs'
import { join } from 'node:path'

const MOST_LINKS = 40

/** Where a path leads, as the system itself sees it; undefined for one that leads nowhere. */
export function realPath(path: string): string | undefined {
  try {
    return realpathSync.native(path)
  } catch {
    return undefined
  }
}

/** Every link that is met on the way along a path, also in what links lead to. */
export function linksOn(path: string): string[] {
  const links: string[] = []
  const rest = parts(path)
  let here = '/'
  while (rest.length > 0 && links.length < MOST_LINKS) {
    const next = join(here, rest.shift() as string)
    const target = targetOf(next)
    if (target === undefined) {
      here = next
      continue
    }
    links.push(next)
    rest.unshift(...parts(target))
    if (target.startsWith('/')) here = '/'
  }
  return links
}

function parts(path: string): string[] {
  return path.split('/').filter(Boolean)
}

function targetOf(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch {
    return undefined
  }
}
