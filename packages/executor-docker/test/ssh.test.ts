import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { connectDocker } from '../src/connection.ts'
import { startContainer } from '../src/container.ts'
import { containersLeft, engine, plan } from './containers.ts'
import { docker } from './requirements.ts'

/** A program `ssh` that reaches no other machine, but the Docker of this one. */
async function localSsh(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'codeact-ssh-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const { socketPath } = (await engine()).modem as unknown as { socketPath: string }
  const relay = `require('net').connect('${socketPath}', function () { process.stdin.pipe(this).pipe(process.stdout) })`
  await writeFile(join(folder, 'ssh'), `#!/bin/sh\nexec '${process.execPath}' -e "${relay}"\n`, { mode: 0o755 })
  return folder
}

describe.skipIf(!docker.isMet || process.platform === 'win32')(`a container behind ssh ${docker.reason}`, () => {
  it('is started, heard, told and removed as any other', async () => {
    const remote = await connectDocker({ host: 'ssh://lab' }, { PATH: await localSsh() })
    let heard = 0
    const outputs = {
      stdout: (bytes: Uint8Array) => {
        heard += bytes.length
      },
      stderr: () => {},
    }
    const container = await startContainer(remote, await plan(['cat']), outputs)
    container.unref()
    container.ref()
    for (let n = 0; n < 100; n++) container.write(new Uint8Array(10_000))
    await expect.poll(() => heard).toBe(1_000_000)
    await container.close()
    expect(await container.closed).toEqual({ reason: 'closed', detail: 'it was closed' })
    expect(await containersLeft()).toEqual([])
  })

  it('tells how it ended', async () => {
    const remote = await connectDocker({ host: 'ssh://lab' }, { PATH: await localSsh() })
    const silent = { stdout: () => {}, stderr: () => {} }
    const container = await startContainer(remote, await plan(['sh', '-c', 'exit 4']), silent)
    expect(await container.closed).toMatchObject({ reason: 'exit', exitCode: 4 })
  })
})
