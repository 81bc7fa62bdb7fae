import { readFile } from 'node:fs/promises'
import type { ProcessInfo } from './process-tree.ts'

/** Not worth a look into it. */
const SMALL = 1024 ** 2

/**
 * Bytes that processes hold together, each page counted once however many share it; undefined where not even what each holds, added
 * up, is more than `most`: a copy of a kernel has all its memory in common with it.
 */
export async function memoryUse(processes: readonly ProcessInfo[], most: number): Promise<number | undefined> {
  if (sum(processes.map(({ resident }) => resident)) <= most) return undefined
  return sum(await Promise.all(processes.map(share)))
}

async function share({ pid, resident }: ProcessInfo): Promise<number> {
  if (resident < SMALL) return resident
  try {
    const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'latin1')
    return Number(/^Pss:\s+(\d+) kB/m.exec(rollup)?.[1] ?? 0) * 1024
  } catch (error) {
    // What may not be looked into, a keeper for instance, counts whole: it could hide else.
    return ['EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '') ? resident : 0
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
