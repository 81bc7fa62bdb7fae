import { docker } from '@codeact/executor-docker'
import { containerEcho } from './container-echo.ts'
import { testImage } from './docker-engine.ts'
import { inTurns } from './in-turns.ts'
import { type Row, row } from './row.ts'
import { noOp } from './warm-cell.ts'

/** A cell that does nothing, in a container that stands. */
export async function dockerWarmCell(quick: boolean): Promise<Row> {
  const image = await testImage()
  const echo = await containerEcho(image)
  const executor = docker({ image, checkpoint: false, timeoutMs: 600_000 })
  const sandbox = await executor.open()
  const { ours, floor } = await inTurns(
    quick ? 10 : 60,
    100,
    () => noOp(sandbox),
    () => echo.run('pass'),
  )
  await Promise.all([executor.close(), echo.close()])
  return row('docker(): warm no-op cell, µs', ours, floor, 3)
}
