import { CodeActError } from '@codeact/spec'

const LONGEST_PATH = 1024

/**
 * A path that a caller gave, as a clean relative one with `/` between its parts; `.` for the working directory itself. Throws
 * `FILES_OUTSIDE` for one that is absolute or climbs out, `FILES_BAD_PATH` for one that no file can have.
 */
export function insidePath(path: string): string {
  if (path === '' || path.includes('\0') || path.length > LONGEST_PATH) {
    throw new CodeActError('FILES_BAD_PATH', `${JSON.stringify(path.slice(0, 80))} is not a path.`)
  }
  if (/^([/\\]|[A-Za-z]:)/.test(path)) throw outside(path)
  const parts: string[] = []
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue
    if (part === '..') {
      if (parts.pop() === undefined) throw outside(path)
    } else parts.push(part)
  }
  return parts.join('/') || '.'
}

function outside(path: string): CodeActError {
  return new CodeActError('FILES_OUTSIDE', `${path} is not inside the working directory.`, {
    hint: 'Give a path relative to it.',
  })
}
