import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import {
  type Backend,
  type ChannelEnd,
  type ForkRequest,
  type Place,
  type PythonStart,
  type Shared,
  supervisedBackend,
} from '@codeact/sandbox'
import { type Capabilities, CodeActError, newId } from '@codeact/spec'

/** What a fork has of the sandbox that it comes from. */
export interface Origin {
  /** What ends when the last one has let go. */
  readonly holds: readonly Shared[]
  /** The folder of forks, by its two names. */
  readonly forks: { readonly onHost: string; readonly inside: string }
  readonly capabilities: Capabilities
  readonly checkpointBytes: number | undefined
  /** What its supervisor is started with. */
  readonly start: PythonStart
}

const GONE: ChannelEnd = { reason: 'closed', detail: 'what ran the fork has ended' }

/** How long the supervisor of a fork may take to end all that it has. */
const CLOSE_MS = 2000

/** The place of a fork, beside the kernel that it comes from. Its supervisor comes to a socket at which this process listens. */
export function forkKernel(origin: Origin, ask: (request: ForkRequest) => Promise<void>): Promise<Backend> {
  const { capabilities, checkpointBytes, forks } = origin
  return supervisedBackend({
    ...{ capabilities: () => capabilities, checkpointBytes, forks: forks.inside },
    twin: (receive) => openPlace(origin, ask, receive),
    start: () => Promise.reject(lost()),
  })
}

async function openPlace(
  { holds, forks, start }: Origin,
  ask: (request: ForkRequest) => Promise<void>,
  receive: (bytes: Uint8Array) => void,
): Promise<Place> {
  const name = newId('fork')
  const door = `${name}.door`
  const server = createServer().listen(join(forks.onHost, door))
  try {
    await once(server, 'listening')
    const visit = once(server, 'connection') as Promise<[Socket]>
    const { inside } = forks
    await ask({ name, door: join(inside, door), arguments: start.arguments, folder: join(inside, name) })
    const [socket] = await visit
    for (const hold of holds) hold.hold()
    socket.write(start.input)
    return new ForkPlace(socket, holds, receive)
  } finally {
    server.close()
  }
}

class ForkPlace implements Place {
  readonly closed: Promise<ChannelEnd>
  readonly #socket: Socket

  constructor(socket: Socket, holds: readonly Shared[], receive: (bytes: Uint8Array) => void) {
    this.#socket = socket
    socket.on('data', receive)
    socket.on('error', () => {})
    this.closed = once(socket, 'close').then(async () => {
      for (const hold of holds) await hold.release()
      return GONE
    })
  }

  write(bytes: Uint8Array): void {
    if (this.#socket.writable) this.#socket.write(bytes)
  }

  setIdle(isIdle: boolean): void {
    if (isIdle) this.#socket.unref()
    else this.#socket.ref()
  }

  /** At the end of its input the supervisor ends all that it has, and then itself. */
  async close(): Promise<void> {
    this.#socket.end()
    const timer = setTimeout(() => this.#socket.destroy(), CLOSE_MS)
    await this.closed
    clearTimeout(timer)
  }
}

function lost(): CodeActError {
  return new CodeActError('SANDBOX_GONE', 'The fork is gone: what ran it has ended, and its files with it.', {
    hint: 'Open another sandbox.',
  })
}
