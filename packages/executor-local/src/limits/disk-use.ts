import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'

const BLOCK = 512
/** What a file of a byte takes. */
const LEAST = 4096

/** Bytes on the disk of what is in folders. A file with two names counts twice, what the system notes about files does not. */
export async function diskUse(all: readonly string[]): Promise<number> {
  let total = 0
  const folders = [...all]
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    const path = next
    for (const entry of await readdir(path, { withFileTypes: true }).catch(() => [])) {
      const inside = join(path, entry.name)
      // A link is not followed, and what has gone meanwhile takes nothing.
      total += await lstat(inside).then(
        ({ blocks, size }) => Math.min(blocks * BLOCK, Math.ceil(size / LEAST) * LEAST),
        () => 0,
      )
      if (entry.isDirectory()) folders.push(inside)
    }
  }
  return total
}
