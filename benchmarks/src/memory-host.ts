import { setTimeout } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Sandbox } from '@codeact/spec'
import { type Row, row } from './row.ts'
import { openLocal } from './subject.ts'
import { noOp } from './warm-cell.ts'

const BUDGET_KB = 100

/** What a session takes in this process: its heap, and the buffers beside it. The floor is the budget. */
export async function memoryOfHost(quick: boolean): Promise<Row> {
  const count = quick ? 10 : 50
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const samples: number[] = []
  for (let round = 0; round < (quick ? 3 : 4); round++) samples.push(await kilobytesEach(count, collect))
  // The first round is the compiler's.
  return row(`memory in the host, ${count} sessions: one, kB`, samples.slice(1), [BUDGET_KB], 1)
}

async function kilobytesEach(count: number, collect: () => void): Promise<number> {
  const before = await held(collect)
  const sandboxes: Sandbox[] = []
  for (let n = 0; n < count; n++) sandboxes.push(await openLocal())
  for (const sandbox of sandboxes) await noOp(sandbox)
  const after = await held(collect)
  await Promise.all(sandboxes.splice(0).map((sandbox) => sandbox.close()))
  return (after - before) / count / 1024
}

/** What is on its way out takes a moment, and a second look. */
async function held(collect: () => void): Promise<number> {
  collect()
  await setTimeout(200)
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
