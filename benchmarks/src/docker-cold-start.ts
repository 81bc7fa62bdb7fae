import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { docker } from '@codeact/executor-docker'
import { LIMITS, testImage } from './docker-engine.ts'
import { inTurns } from './in-turns.ts'
import { type Row, row } from './row.ts'

/** From nothing to the first result, without a pool. Removing the container is no part of it, on either side. */
export async function dockerColdStart(quick: boolean): Promise<Row> {
  const image = await testImage()
  const leftovers: Promise<unknown>[] = []
  const ours = async (): Promise<void> => {
    const executor = docker({ image, pool: { size: 0 } })
    const sandbox = await executor.open()
    const { value } = await sandbox.execute('1 + 1')
    if (value?.['text/plain'] !== '2') throw new Error('1 + 1 is not 2')
    leftovers.push(executor.close())
  }
  const floor = async (): Promise<void> => {
    const run = spawn('docker', ['run', ...LIMITS, image, 'python3', '-I', '-c', 'print(1 + 1)'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const ended = once(run, 'close')
    leftovers.push(ended)
    const [printed] = await Promise.race([once(run.stdout.setEncoding('utf8'), 'data'), ended])
    if (printed !== '2\n') throw new Error(`docker run printed ${printed}`)
  }
  const samples = await inTurns(quick ? 10 : 40, 1, ours, floor, () => Promise.all(leftovers.splice(0)))
  return row('docker(): cold start to first result, µs', samples.ours, samples.floor, 1.5)
}
