import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { connectDocker } from '../src/connection.ts'

/** A Docker that can be taken away: the real one behind a socket of ours. */
export interface DaemonProxy {
  /** As the option `host` takes it. */
  readonly host: string
  /** It takes what is sent, and says nothing any more. */
  freeze(): void
  /** It is killed: nobody listens, and every connection ends. */
  kill(): Promise<void>
}

export async function daemonProxy(): Promise<DaemonProxy> {
  const { modem } = (await connectDocker()) as unknown as { modem: { socketPath: string } }
  const folder = await mkdtemp(join(tmpdir(), 'daemon-'))
  const path = join(folder, 'docker.sock')
  const sockets = new Set<Socket>()
  let isFrozen = false
  const server = createServer((near) => {
    const far = connect(modem.socketPath)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.on('data', (bytes) => void (isFrozen || to.write(bytes)))
      from.on('end', () => void (isFrozen || to.end()))
      from.on('close', () => void (isFrozen || to.destroy()))
      from.on('error', () => {})
    }
  })
  await new Promise<void>((resolve) => server.listen(path, resolve))
  const kill = async (): Promise<void> => {
    server.close()
    for (const socket of sockets) socket.destroy()
    await rm(folder, { recursive: true, force: true })
  }
  onTestFinished(kill)
  return {
    host: `unix://${path}`,
    freeze() {
      isFrozen = true
    },
    kill,
  }
}
