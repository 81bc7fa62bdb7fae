import { tool } from '@codeact/core'
import { timed } from './in-turns.ts'
import { processEcho } from './process-echo.ts'
import { type Row, row } from './row.ts'
import { openLocal, python } from './subject.ts'

const CALLS = 500

/** One host tool after the other, called from a loop in one cell; a sample is the mean of a loop. */
export async function toolCall(quick: boolean): Promise<Row> {
  let called = 0
  const count = tool({
    name: 'count',
    description: 'Counts.',
    parameters: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
    execute: ({ n }) => {
      called++
      return n
    },
  })
  const echo = processEcho(await python())
  const sandbox = await openLocal([count])
  const samples = { ours: [] as number[], floor: [] as number[] }
  const loop = `for n in range(${CALLS}):\n    if count(n) != n: raise ValueError(n)`
  const rounds = quick ? 5 : 30
  for (let round = 0; round < rounds; round++) {
    for (let n = 0; n < CALLS; n++) samples.floor.push(await timed(() => echo.run('pass')))
    const start = performance.now()
    const { status, error } = await sandbox.execute(loop)
    if (status !== 'ok') throw new Error(`the cell ended with ${status}: ${error?.message}`)
    samples.ours.push(((performance.now() - start) * 1000) / CALLS)
  }
  await Promise.all([sandbox.close(), echo.close()])
  if (called !== rounds * CALLS) throw new Error(`${called} calls came, not ${rounds * CALLS}`)
  return row('tool call from a loop, µs', samples.ours.slice(1), samples.floor.slice(CALLS), 3)
}
