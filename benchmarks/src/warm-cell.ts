import type { Sandbox } from '@codeact/spec'
import { inTurns } from './in-turns.ts'
import { processEcho } from './process-echo.ts'
import { type Row, row } from './row.ts'
import { openLocal, python } from './subject.ts'

/** A cell that does nothing, in a session that stands. */
export async function warmCell(quick: boolean): Promise<Row> {
  const echo = processEcho(await python())
  const sandbox = await openLocal([], false)
  const { ours, floor } = await inTurns(
    quick ? 10 : 60,
    100,
    () => noOp(sandbox),
    () => echo.run('pass'),
  )
  await Promise.all([sandbox.close(), echo.close()])
  return row('warm no-op cell, µs', ours, floor, 3)
}

/** One such cell. */
export async function noOp(sandbox: Sandbox): Promise<void> {
  const { status } = await sandbox.execute('pass')
  if (status !== 'ok') throw new Error(`the cell ended with ${status}`)
}
