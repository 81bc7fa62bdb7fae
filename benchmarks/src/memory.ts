import { bareKilobytes, MARGIN_KB, restingKilobytes } from './resting.ts'
import { type Row, row } from './row.ts'
import { openLocal } from './subject.ts'

/** bubblewrap, the keeper, the kernel and its copy; without checkpoints bubblewrap twice, and the kernel. */
const PROCESSES = { with: 4, without: 3 }

/** A session of `local()` at rest after one cell, among others of its kind. */
export async function memory(quick: boolean): Promise<readonly Row[]> {
  const rows: Row[] = []
  for (const count of quick ? [1, 10] : [1, 10, 50, 200]) {
    const floor = await bareKilobytes(count)
    for (const kind of ['with', 'without'] as const) {
      const ours = await restingKilobytes(count, PROCESSES[kind], () => openLocal([], kind === 'with'))
      rows.push(row(`memory, ${kind} checkpoints, ${count} at rest: one, kB`, ours, floor, { plus: MARGIN_KB }))
    }
  }
  return rows
}
