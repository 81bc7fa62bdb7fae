import { setTimeout } from 'node:timers/promises'
import type { Sandbox } from '@codeact/spec'
import { inTurns } from './in-turns.ts'
import { type Row, row } from './row.ts'
import { openLocal } from './subject.ts'
import { noOp } from './warm-cell.ts'

const THINKING_MS = 20

const HUNDRED_MB = 'held = [b"x" * 10 ** 6 for _ in range(100)]'

/** What a checkpoint cannot do without: a fork of the same heap, and its end. */
const FORK = 'pid = os.fork()\nif pid == 0: os._exit(0)\nos.waitpid(pid, 0) and None'

/** A cell that does nothing, after a while in which a model would think, with checkpoints and without. */
export async function checkpointAfterThinking(quick: boolean): Promise<Row> {
  return beside('', async (checked, unchecked) => {
    const pause = (): Promise<unknown> => setTimeout(THINKING_MS)
    const { ours, floor } = await inTurns(
      quick ? 5 : 30,
      20,
      () => noOp(checked),
      () => noOp(unchecked),
      pause,
    )
    return row(`checkpoints, ${THINKING_MS} ms between cells: warm no-op cell, µs`, ours, floor, 2)
  })
}

/** Such cells one right after the other, each with a checkpoint before it, beside cells that fork and reap by themselves. */
export async function checkpointBackToBack(quick: boolean): Promise<Row> {
  return backToBack('checkpoints, back to back: no-op cell, µs', '', quick)
}

/** The same with a hundred megabytes in the session. */
export async function checkpointOfLargeHeap(quick: boolean): Promise<Row> {
  return backToBack('checkpoints, back to back with 100 MB: no-op cell, µs', HUNDRED_MB, quick)
}

async function backToBack(measure: string, setup: string, quick: boolean): Promise<Row> {
  return beside(setup, async (checked, unchecked) => {
    const { ours, floor } = await inTurns(
      quick ? 5 : 20,
      50,
      () => noOp(checked),
      () => forking(unchecked),
    )
    return row(measure, ours, floor, 2)
  })
}

async function forking(sandbox: Sandbox): Promise<void> {
  const { status } = await sandbox.execute(FORK)
  if (status !== 'ok') throw new Error(`the cell ended with ${status}`)
}

async function beside(setup: string, measure: (checked: Sandbox, unchecked: Sandbox) => Promise<Row>): Promise<Row> {
  const [checked, unchecked] = await Promise.all([openLocal(), openLocal([], false)])
  for (const sandbox of [checked, unchecked]) await sandbox.execute(`import os\n${setup}`)
  try {
    return await measure(checked, unchecked)
  } finally {
    await Promise.all([checked.close(), unchecked.close()])
  }
}
