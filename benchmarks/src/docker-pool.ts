import { setTimeout } from 'node:timers/promises'
import { docker } from '@codeact/executor-docker'
import { testImage } from './docker-engine.ts'
import { type Row, row } from './row.ts'
import { noOp } from './warm-cell.ts'

const BUDGET_MICROS = 20_000
/** Time enough for a container to take the place of the one that was given out. */
const REFILL_MS = 2_000

/** `open()` when a container waits. The floor is the budget itself, since it is a time and no ratio. */
export async function dockerPool(quick: boolean): Promise<Row> {
  await using executor = docker({ image: await testImage(), pool: { size: 1 } })
  const samples: number[] = []
  for (let round = 0; round < (quick ? 6 : 21); round++) {
    const start = performance.now()
    const sandbox = await executor.open()
    samples.push((performance.now() - start) * 1000)
    await noOp(sandbox)
    await sandbox.close()
    await setTimeout(REFILL_MS)
  }
  return row('docker(): open() from the pool, µs', samples.slice(1), [BUDGET_MICROS], 1)
}
