import { setTimeout } from 'node:timers/promises'
import { local } from '@codeact/executor-local'
import { type Row, row } from './row.ts'
import { python } from './subject.ts'
import { noOp } from './warm-cell.ts'

const SIZE = 8
const REFILL_MS = 2500
const BUDGET_MICROS = 3000

/** As many sessions at once as wait in the pool: from the call of the first to the last one's being open, over their number. */
export async function poolBurst(quick: boolean): Promise<Row> {
  await using executor = local({ python: await python(), pool: { size: SIZE } })
  const samples: number[] = []
  for (let round = 0; round < (quick ? 4 : 15); round++) {
    await setTimeout(REFILL_MS)
    const start = performance.now()
    const sandboxes = await Promise.all(Array.from({ length: SIZE }, () => executor.open()))
    samples.push(((performance.now() - start) * 1000) / SIZE)
    for (const sandbox of sandboxes) await noOp(sandbox)
    await Promise.all(sandboxes.map((sandbox) => sandbox.close()))
  }
  return row(`pool, ${SIZE} at once: open(), each, µs`, samples.slice(1), [BUDGET_MICROS], 1)
}
