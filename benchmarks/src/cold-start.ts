import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { local } from '@codeact/executor-local'
import { inTurns } from './in-turns.ts'
import { processEcho } from './process-echo.ts'
import { type Row, row } from './row.ts'
import { python } from './subject.ts'

/** From nothing to the first result. Closing is no part of it, on either side. */
export async function coldStart(quick: boolean): Promise<Row> {
  return starting('cold start to first result, µs', await python(), quick)
}

/** The same where nothing is installed: what is installed may run code at each start, which the floor leaves out. */
export async function coldStartClean(quick: boolean): Promise<Row> {
  const folder = await mkdtemp(join(tmpdir(), 'benchmark-'))
  try {
    await promisify(execFile)(await python(), ['-m', 'venv', '--without-pip', folder])
    return await starting('cold start to first result, in a new venv, µs', join(folder, 'bin', 'python3'), quick)
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function starting(measure: string, interpreter: string, quick: boolean): Promise<Row> {
  const leftovers: Promise<void>[] = []
  const ours = async (): Promise<void> => {
    const sandbox = await local({ python: interpreter }).open()
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
  return row(measure, samples.ours, samples.floor, 2.5)
}
