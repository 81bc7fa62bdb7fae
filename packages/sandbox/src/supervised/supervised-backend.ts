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
  /** As `Backend` has them. */
  setBusy?(isBusy: boolean): void
  suspend?(): Promise<string>
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
  /** The first place is not started but found, as another host has left it. */
  readonly resume?: StartPlace
  /** Bytes of memory up to which checkpoints are taken of a kernel, where the supervisor is `confined`. Default: none are taken. */
  readonly checkpointBytes?: number
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
export async function supervisedBackend(options: SupervisedOptions): Promise<Backend> {
  const { start, capabilities, resume, checkpointBytes } = options
  const first = await (resume === undefined ? startSupervisor(start) : startSupervisor(resume, { isThere: true }))
  return new SupervisedBackend(start, first, capabilities(first.up), checkpointBytes)
}

class SupervisedBackend implements Backend {
  readonly capabilities: Capabilities
  readonly files = new RemoteFiles(async () => (await this.#running()).supervisor.files)
  /** Where the place can. */
  readonly suspend: (() => Promise<string>) | undefined
  readonly #start: StartPlace
  readonly #checkpointBytes: number | undefined
  #current: Promise<Running>
  /** A kernel that was there before this host. */
  #found: string | undefined
  #isClosed = false

  constructor(start: StartPlace, first: Running, capabilities: Capabilities, checkpointBytes: number | undefined) {
    this.#start = start
    this.#checkpointBytes = checkpointBytes
    this.capabilities = capabilities
    this.#current = Promise.resolve(first)
    this.#found = first.up.kernel
    if (first.place.suspend !== undefined) this.suspend = () => this.#suspend()
  }

  async connect(_language: string, receive: (frame: Frame) => void): Promise<Channel> {
    const { supervisor, up } = await this.#running()
    const found = this.#found
    this.#found = undefined
    if (found !== undefined) return supervisor.goOn(found, receive)
    return supervisor.connect(receive, up.confined ? this.#checkpointBytes : undefined)
  }

  setBusy(isBusy: boolean): void {
    this.#use(({ place }) => place.setBusy?.(isBusy))
  }

  setIdle(isIdle: boolean): void {
    this.#use(({ place }) => place.setIdle(isIdle))
  }

  async close(): Promise<void> {
    this.#isClosed = true
    const running = await this.#current.catch(() => undefined)
    await running?.place.close()
  }

  #use(work: (running: Running) => void): void {
    this.#current.then(work, () => {}) // Whoever needs it is told.
  }

  async #suspend(): Promise<string> {
    const { place, isLost } = await this.#current
    if (isLost() || place.suspend === undefined) throw lostBefore()
    return place.suspend()
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

function lostBefore(): CodeActError {
  return new CodeActError('SANDBOX_GONE', 'The sandbox is gone: there is nothing left to suspend.', {
    hint: 'Open another one.',
  })
}

async function startSupervisor(start: StartPlace, { isThere = false } = {}): Promise<Running> {
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
  if (isThere) supervisor.greet()
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
