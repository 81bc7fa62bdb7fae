import { local } from '@codeact/executor-local'
import { bareSandbox } from './bare-sandbox.ts'
import { type Row, row } from './row.ts'
import { python } from './subject.ts'

const AT_ONCE = [1, 2, 4]
/** Of the rate; in time per session that is its inverse. */
const BUDGET = 1 / 0.8

/**
 * Sessions without a pause, some at once: each is opened from a pool, runs a cell and is closed. A sample is the time of some
 * seconds over the sessions that they saw; the floor's are bubblewrap around a bare echo, started, asked once and ended.
 */
export async function poolRate(quick: boolean): Promise<readonly Row[]> {
  const interpreter = await python()
  const bare = await bareSandbox()
  const rows: Row[] = []
  for (const atOnce of AT_ONCE) {
    const samples = { ours: [] as number[], floor: [] as number[] }
    for (let round = 0; round < (quick ? 1 : 3); round++) {
      const seconds = quick ? 2 : 5
      samples.floor.push(await microsEach(atOnce, seconds, oneEcho))
      await using executor = local({ python: interpreter, pool: { size: atOnce } })
      samples.ours.push(await microsEach(atOnce, seconds, () => oneSession(executor)))
    }
    rows.push(row(`pool, ${atOnce} at once without a pause: time per session, µs`, samples.ours, samples.floor, BUDGET))
  }
  await bare.close()
  return rows

  async function oneEcho(): Promise<void> {
    const echo = bare.start()
    await echo.run('1 + 1')
    await echo.close()
  }
}

async function oneSession(executor: ReturnType<typeof local>): Promise<void> {
  const sandbox = await executor.open()
  const { value } = await sandbox.execute('1 + 1')
  if (value?.['text/plain'] !== '2') throw new Error('1 + 1 is not 2')
  await sandbox.close()
}

/** The pool's first, which were started before anybody asked, are not counted. */
async function microsEach(atOnce: number, seconds: number, one: () => Promise<void>): Promise<number> {
  await Promise.all(Array.from({ length: 2 * atOnce }, one))
  const start = performance.now()
  let done = 0
  const workers = Array.from({ length: atOnce }, async () => {
    while (performance.now() - start < seconds * 1000) {
      await one()
      done++
    }
  })
  await Promise.all(workers)
  return ((performance.now() - start) * 1000) / done
}
