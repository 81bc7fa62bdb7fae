import { docker } from '@codeact/executor-docker'
import { containerEcho } from './container-echo.ts'
import { command, testImage } from './docker-engine.ts'
import { family, kilobytes } from './process-memory.ts'
import { BARE, MARGIN_KB } from './resting.ts'
import { type Row, row } from './row.ts'
import { noOp } from './warm-cell.ts'

/** A session of `docker()` at rest, beside a bare interpreter in such a container: all processes in it, its first one among them. */
export async function memoryOfDocker(quick: boolean): Promise<Row> {
  const image = await testImage()
  const samples = { ours: [] as number[], floor: [] as number[] }
  await using executor = docker({ image, pool: { size: 0 } })
  for (let round = 0; round < (quick ? 1 : 3); round++) {
    const before = await containers()
    const echo = await containerEcho(image, BARE)
    await echo.run('')
    samples.floor.push(await containerKilobytes(before))
    await echo.close()
    const sandbox = await executor.open()
    await noOp(sandbox)
    samples.ours.push(await containerKilobytes(before))
    await sandbox.close()
  }
  return row('docker(): memory, at rest, kB', samples.ours, samples.floor, { plus: MARGIN_KB })
}

async function containers(): Promise<readonly string[]> {
  return (await command('ps', '--quiet', '--no-trunc')).split('\n').filter(Boolean)
}

/** Of the one that has come. */
async function containerKilobytes(before: readonly string[]): Promise<number> {
  const [id, ...others] = (await containers()).filter((one) => !before.includes(one))
  if (id === undefined || others.length > 0) throw new Error('not one container was started, but none or several')
  return kilobytes(family(Number(await command('inspect', '--format', '{{.State.Pid}}', id))))
}
