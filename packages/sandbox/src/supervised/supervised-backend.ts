import { type Capabilities, CodeActError } from '@codeact/spec'
import type { Backend, Channel, ChannelEnd } from '../backend.ts'
import { RemoteFiles } from '../files/remote-files.ts'
import type { Frame } from '../frames/frame.ts'
import { Supervisor, type SupervisorUp } from './supervisor.ts'

/** Where a supervisor runs: a container, a machine in a cloud. It has a stream in and a stream out. */
export interface Place {
  write(bytes: Uint8Array): void
  /** Settles, never rejects, when the place is gone. */
  readonly closed: Promise<ChannelEnd>
  /** Whether it may keep this process alive. */
  setIdle(isIdle: boolean): void
  close(): Promise<void>
}

/**
 * Starts a place with `pythonSupervisorStart()` running in it, its input written. The bytes that come out of it are handed to
 * `receive`.
 */
export type StartPlace = (receive: (bytes: Uint8Array) => void) => Promise<Place>

export interface SupervisedOptions {
  readonly start: StartPlace
  readonly capabilities: (up: SupervisorUp) => Capabilities
}

interface Running {
  readonly place: Place
  readonly supervisor: Supervisor
  readonly up: SupervisorUp
  /** Whether it is gone, or on its way. */
  isLost(): boolean
}

const START_TIMEOUT_MS = 30_000

/**
 * A sandbox with one supervised place at a time. Kernels come and go in it, and files stay; a place that is lost is started
 * again, empty.
 */
export async function supervisedBackend({ start, capabilities }: SupervisedOptions): Promise<Backend> {
  const first = await startSupervisor(start)
  return new SupervisedBackend(start, first, capabilities(first.up))
}

class SupervisedBackend implements Backend {
  readonly capabilities: Capabilities
  readonly files = new RemoteFiles(async () => (await this.#running()).supervisor.files)
  readonly #start: StartPlace
  #current: Promise<Running>
  #isClosed = false

  constructor(start: StartPlace, first: Running, capabilities: Capabilities) {
    this.#start = start
    this.capabilities = capabilities
    this.#current = Promise.resolve(first)
  }

  async connect(_language: string, receive: (frame: Frame) => void): Promise<Channel> {
    return (await this.#running()).supervisor.connect(receive)
  }

  setIdle(isIdle: boolean): void {
    this.#current.then(
      ({ place }) => place.setIdle(isIdle),
      () => {}, // Whoever uses it is told.
    )
  }

  async close(): Promise<void> {
    this.#isClosed = true
    const running = await this.#current.catch(() => undefined)
    await running?.place.close()
  }

  #running(): Promise<Running> {
    const restart = (): Promise<Running> => this.#restart()
    this.#current = this.#current.then((running) => (running.isLost() ? restart() : running), restart)
    return this.#current
  }

  #restart(): Promise<Running> {
    if (this.#isClosed)
      throw new CodeActError('SANDBOX_CLOSED', 'The sandbox is closed.', { hint: 'Open another one.' })
    return startSupervisor(this.#start)
  }
}

async function startSupervisor(start: StartPlace): Promise<Running> {
  let place: Place | undefined
  let lost: ChannelEnd | undefined
  const giveUp = (end: ChannelEnd): void => {
    lost ??= end
    void place?.close()
  }
  const supervisor = new Supervisor(
    (bytes) => place?.write(bytes),
    () => giveUp({ reason: 'closed', detail: 'it did not answer any more' }),
  )
  place = await start((bytes) => {
    try {
      if (lost === undefined) supervisor.feed(bytes)
    } catch (error) {
      giveUp({ reason: 'protocol', detail: error instanceof Error ? error.message : String(error) })
    }
  })
  void place.closed.then((end) => {
    lost ??= end
    supervisor.gone(lost)
  })
  return { place, supervisor, up: await isUp(supervisor, place), isLost: () => lost !== undefined }
}

async function isUp(supervisor: Supervisor, place: Place): Promise<SupervisorUp> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<ChannelEnd>((resolve) => {
    timer = setTimeout(
      () => resolve({ reason: 'closed', detail: `no answer in ${START_TIMEOUT_MS} ms` }),
      START_TIMEOUT_MS,
    )
  })
  const first = await Promise.race([supervisor.up, late])
  clearTimeout(timer)
  if ('version' in first) return first
  await place.close()
  throw first.error ?? new CodeActError('KERNEL_START_FAILED', `The sandbox did not start: ${first.detail}`)
}
