import { inTurns } from './in-turns.ts'
import { processEcho } from './process-echo.ts'
import { type Row, row } from './row.ts'
import { openLocal, python } from './subject.ts'

/** From nothing to the first result. Closing is no part of it, on either side. */
export async function coldStart(quick: boolean): Promise<Row> {
  const interpreter = await python()
  const leftovers: Promise<void>[] = []
  const ours = async (): Promise<void> => {
    const sandbox = await openLocal()
    const { value } = await sandbox.execute('1 + 1')
    if (value?.['text/plain'] !== '2') throw new Error('1 + 1 is not 2')
    leftovers.push(sandbox.close())
  }
  const floor = async (): Promise<void> => {
    const echo = processEcho(interpreter)
    await echo.run('1 + 1')
    leftovers.push(echo.close())
  }
  const samples = await inTurns(quick ? 10 : 60, 1, ours, floor)
  await Promise.all(leftovers)
  return row('cold start to first result, µs', samples.ours, samples.floor, 2.5)
}
