import { setTimeout } from 'node:timers/promises'
import type { Executor } from '@codeact/spec'
import { type Row, row } from './row.ts'
import { noOp } from './warm-cell.ts'

/** What is measured of a pool: time enough for another to take the place of the one that was given out, and a budget. */
interface PoolMeasure {
  readonly name: string
  readonly refillMs: number
  readonly budgetMicros: number
}

/** `open()` when a sandbox waits. The floor is the budget itself, since it is a time and no ratio. */
export async function poolOpening(executor: Executor, rounds: number, measure: PoolMeasure): Promise<Row> {
  const samples: number[] = []
  for (let round = 0; round < rounds; round++) {
    const start = performance.now()
    const sandbox = await executor.open()
    samples.push((performance.now() - start) * 1000)
    await noOp(sandbox)
    await sandbox.close()
    await setTimeout(measure.refillMs)
  }
  return row(`${measure.name}: open() from the pool, µs`, samples.slice(1), [measure.budgetMicros], 1)
}
