import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import {
  type Backend,
  type ChannelEnd,
  type ForkRequest,
  type Place,
  type PythonStart,
  supervisedBackend,
} from '@codeact/sandbox'
import { type Capabilities, CodeActError, newId } from '@codeact/spec'

/** What a fork has of the sandbox that it comes from. */
export interface Origin {
  /** Keeps what it shares with others from ending; gives what lets that go. */
  readonly hold: () => () => Promise<void>
  /** The folder of forks, by its two names. */
  readonly forks: { readonly onHost: string; readonly inside: string }
  readonly capabilities: Capabilities
  readonly checkpointBytes: number | undefined
  /** What its supervisor is started with. */
  readonly start: PythonStart
  /** As for the sandbox itself: one limit is for all. */
  readonly explain: (end: ChannelEnd) => ChannelEnd
  readonly setBusy: (isBusy: boolean) => void
}

const GONE: ChannelEnd = { reason: 'closed', detail: 'what ran the fork has ended' }

/** How long the supervisor of a fork may take to end all that it has. */
const CLOSE_MS = 2000

/** The place of a fork, beside the kernel that it comes from. Its supervisor comes to a socket at which this process listens. */
export function forkKernel(origin: Origin, ask: (request: ForkRequest) => Promise<void>): Promise<Backend> {
  const { capabilities, checkpointBytes, forks, explain } = origin
  return supervisedBackend({
    ...{ capabilities: () => capabilities, checkpointBytes, forks: forks.inside, explain },
    twin: (receive) => openPlace(origin, ask, receive),
    start: () => Promise.reject(lost()),
  })
}

/** Whether the supervisor of a fork is this process; it is started with the fork's folder. */
export function isForkSupervisor(pid: number): boolean {
  try {
    return /\/fork_[0-9a-f]+\0$/.test(readFileSync(`/proc/${pid}/cmdline`, 'latin1'))
  } catch {
    return false
  }
}

async function openPlace(
  { hold, forks, start, setBusy }: Origin,
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
    socket.write(start.input)
    return Object.assign(new ForkPlace(socket, hold(), receive), { setBusy })
  } finally {
    server.close()
  }
}

class ForkPlace implements Place {
  readonly closed: Promise<ChannelEnd>
  readonly #socket: Socket

  constructor(socket: Socket, letGo: () => Promise<void>, receive: (bytes: Uint8Array) => void) {
    this.#socket = socket
    socket.on('data', receive)
    socket.on('error', () => {})
    this.closed = once(socket, 'close').then(async () => {
      await letGo()
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
