import { type Capabilities, CodeActError, newId } from '@codeact/spec'
import type { Backend, Channel, ChannelEnd, ForkRequest } from '../backend.ts'
import { RemoteFiles } from '../files/remote-files.ts'
import type { Frame } from '../frames/frame.ts'
import { CHECKPOINT_SHARE } from '../options.ts'
import { pythonTwinStart } from '../python-kernel.ts'
import { busyBySome, Shared } from '../shared.ts'
import { Supervisor, type SupervisorUp } from './supervisor.ts'

/** Where a supervisor runs: a container, a machine in a cloud. It has a stream in and a stream out. */
export interface Place {
  write(bytes: Uint8Array): void
  /** As `Channel` has it. */
  readonly roundTripMs?: number
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
  /** The first place is that of a twin, which runs `pythonTwinStart()`. */
  readonly twin?: StartPlace
  /** A folder that the code may write to, in which twins have theirs. Default: there are none. */
  readonly forks?: string
  /**
   * Bytes of memory up to which checkpoints are taken of a kernel, where the supervisor is `confined`; never of one that has more than
   * half of `memory`, since what the code changes is there twice from then on. Default: none are taken.
   */
  readonly checkpointBytes?: number
  /** Bytes that there are for all that runs in the place. Default: as many as the machine has. */
  readonly memory?: number
  /** How a kernel went, where more is known of that outside of the place. */
  readonly explain?: (end: ChannelEnd) => ChannelEnd
}

interface Running {
  readonly place: Place
  /** By the twins that it has. */
  readonly hold: Shared
  readonly setBusy: (isBusy: boolean) => void
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
  const { start, resume, twin } = options
  return new SupervisedBackend(options, await startSupervisor(resume ?? twin ?? start, options, resume !== undefined))
}

class SupervisedBackend implements Backend {
  readonly capabilities: Capabilities
  readonly files = new RemoteFiles(async () => (await this.#running()).supervisor.files)
  /** Where the place can. */
  readonly suspend: (() => Promise<string>) | undefined
  readonly fork: Backend['fork']
  readonly #options: SupervisedOptions
  #current: Promise<Running>
  /** Whether the kernel has not been asked for that was there before this host. */
  #isFound: boolean
  #isClosed = false

  constructor(options: SupervisedOptions, first: Running) {
    this.#options = options
    this.capabilities = options.capabilities(first.up)
    this.#current = Promise.resolve(first)
    this.#isFound = first.up.kernel !== undefined
    if (first.place.suspend !== undefined) this.suspend = () => this.#suspend()
    const { forks } = options
    if (forks !== undefined) this.fork = (ask) => this.#fork(forks, ask)
  }

  async connect(_language: string, receive: (frame: Frame) => void): Promise<Channel> {
    const { supervisor, up } = await this.#running()
    const isFound = this.#isFound
    this.#isFound = false
    if (isFound && up.kernel !== undefined) return supervisor.goOn(up.kernel, receive, up.copied === true)
    return supervisor.connect(receive, checkpointLimit(this.#options, up))
  }

  setBusy(isBusy: boolean): void {
    this.#use((running) => running.setBusy(isBusy))
  }

  setIdle(isIdle: boolean): void {
    this.#use(({ place }) => place.setIdle(isIdle))
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    const running = await this.#current.catch(() => undefined)
    await running?.hold.release()
  }

  /** The twin's place is this one, as long as both are there. */
  async #fork(forks: string, ask: (request: ForkRequest) => Promise<void>): Promise<Backend> {
    const { supervisor, hold, setBusy } = await this.#running()
    const name = newId('fork')
    const { arguments: args, input } = pythonTwinStart()
    hold.hold()
    const twin: StartPlace = async (receive) => {
      const place = supervisor.twin(name, receive)
      void place.closed.then(() => hold.release())
      try {
        await ask({ name, door: null, arguments: args, folder: `${forks}/${name}` })
      } catch (error) {
        place.gone(NEVER_THERE)
        throw error
      }
      place.write(input)
      return Object.assign(place, { setBusy })
    }
    return supervisedBackend({ ...this.#options, resume: undefined, twin })
  }

  #use(work: (running: Running) => void): void {
    this.#current.then(work, () => {}) // Whoever needs it is told.
  }

  async #suspend(): Promise<string> {
    const { place, hold, isLost } = await this.#current
    if (isLost() || place.suspend === undefined) throw lostBefore()
    if (hold.isShared) throw isForked()
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
    return startSupervisor(this.#options.start, this.#options)
  }
}

const NEVER_THERE: ChannelEnd = { reason: 'closed', detail: 'it was never there' }

function isForked(): CodeActError {
  return new CodeActError('SANDBOX_FORKED', 'The sandbox has forks, which would rest with it and not be found again.', {
    hint: 'Close them first.',
  })
}

function checkpointLimit({ checkpointBytes, memory }: SupervisedOptions, up: SupervisorUp): number | undefined {
  if (checkpointBytes === undefined || !up.confined) return undefined
  return Math.floor(Math.min(checkpointBytes, (memory ?? up.memory ?? Number.POSITIVE_INFINITY) * CHECKPOINT_SHARE))
}

function lostBefore(): CodeActError {
  return new CodeActError('SANDBOX_GONE', 'The sandbox is gone: there is nothing left to suspend.', {
    hint: 'Open another one.',
  })
}

async function startSupervisor(
  start: StartPlace,
  { memory, explain }: Pick<SupervisedOptions, 'memory' | 'explain'>,
  isThere = false,
): Promise<Running> {
  let place: Place | undefined
  let lost: ChannelEnd | undefined
  const giveUp = (end: ChannelEnd): void => {
    lost ??= end
    void place?.close()
  }
  const supervisor = new Supervisor((bytes) => place?.write(bytes), {
    giveUp: () => giveUp({ reason: 'closed', detail: 'it did not answer any more' }),
    roundTripMs: () => place?.roundTripMs ?? 0,
    memory,
    explain,
  })
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
  const up = await isUp(supervisor, place)
  const close = (): Promise<void> => place?.close() ?? Promise.resolve()
  return {
    place,
    hold: new Shared(close),
    setBusy: busyBySome((isBusy) => place?.setBusy?.(isBusy)),
    supervisor,
    up,
    isLost: () => lost !== undefined,
  }
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
  if ('version' in first && first.failure === undefined) return first
  await place.close()
  if ('version' in first) throw new CodeActError('FORK_FAILED', `The sandbox was not forked: ${first.failure}.`)
  throw first.error ?? new CodeActError('KERNEL_START_FAILED', `The sandbox did not start: ${first.detail}`)
}
