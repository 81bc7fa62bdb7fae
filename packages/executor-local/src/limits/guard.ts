import { setTimeout as pause } from 'node:timers/promises'
import { type ChannelEnd, type Frame, limitEnd } from '@codeact/sandbox'
import { CodeActError } from '@codeact/spec'
import { Cgroup } from './cgroup.ts'
import { DiskWatch } from './disk-watch.ts'
import { killGroups } from './kill-groups.ts'
import { memoryUse } from './memory-use.ts'
import { OomOrder } from './oom-order.ts'
import type { LimitPlan } from './plan.ts'
import { childrenOf, type ProcessInfo, processInfo, processTree } from './process-tree.ts'
import { Ticker } from './ticker.ts'

/** What a limit is kept for: a kernel's process, and how to end what it runs. */
export interface Guarded {
  readonly pid: number | undefined
  /** False where it is ending already. */
  breach(end: ChannelEnd): boolean
}

export interface GuardOptions {
  readonly plan: LimitPlan
  /** The folders whose size is limited, all together. */
  readonly folders: readonly string[]
  /** How many processes are between the one that is started and the sandbox's first. */
  readonly depth: number
  /** Whether the first is a keeper. */
  readonly isKept: boolean
}

/** A cell that took less has used nothing up. */
const SHORT_MS = 15
/** As long may it take until what is to end has ended. */
const ENDING_MS = 1000
const WATCHING = { firstMs: 20, everyMs: 20, share: 1 / 20 }
const BESIDE_A_GROUP = { firstMs: 20, everyMs: 100, share: 1 / 20 }
/** It knows by itself when to count. */
const OF_THE_DISK = { firstMs: 20, everyMs: 50, share: 1 }
const FIND_PAUSE_MS = 1

/** Keeps the limits of one sandbox, whatever number of kernels it has one after the other. */
export class Guard {
  readonly #options: GuardOptions
  readonly #group: Cgroup | undefined
  readonly #order = new OomOrder()
  readonly #disk: DiskWatch
  readonly #tickers: readonly Ticker[]
  #kernel: Guarded | undefined
  /** The sandbox's first process, once it is known. */
  #first: number | undefined
  #isLively = false
  #busySince = 0
  #oomKills = 0
  /** While there are any, whose memory has run out is known by whose kernel was killed for it. */
  #forks = 0
  /** When the kernel was told to end. */
  #endingSince: number | undefined
  /** The kernel's number: of the one before nothing that is found out counts. */
  #generation = 0

  /** Throws `EXECUTOR_UNAVAILABLE` where a control group is refused that could be made before. */
  static async open(options: GuardOptions): Promise<Guard> {
    const { places, settings } = options.plan
    try {
      return new Guard(options, places.size === 0 ? undefined : Cgroup.create(places, settings))
    } catch (cause) {
      throw refused(cause)
    }
  }

  private constructor(options: GuardOptions, group: Cgroup | undefined) {
    const { plan, folders } = options
    this.#options = options
    this.#group = group
    this.#disk = new DiskWatch(folders, plan.settings.disk)
    const isWatching = plan.watches.memory || plan.watches.processes
    this.#tickers = [
      new Ticker(() => this.#look(), isWatching ? WATCHING : BESIDE_A_GROUP),
      new Ticker(() => this.#lookAtDisk(), OF_THE_DISK),
    ]
  }

  /** How many descriptors a kernel is given by which it enters the control groups. */
  get doors(): number {
    return this.#group?.doors ?? 0
  }

  withOpenDoors<T>(start: (doors: readonly number[]) => T): T {
    return this.#group === undefined ? start([]) : this.#group.withOpenDoors(start)
  }

  /** To be awaited before the process is given anything to run: what it starts before is not counted. */
  async admit(kernel: Guarded): Promise<void> {
    this.#kernel = kernel
    this.#first = undefined
    this.#renew()
    if (this.#group?.isAdmitting !== true) return
    while (this.#find() === undefined && kernel.pid !== undefined && processInfo(kernel.pid) !== undefined) {
      await pause(FIND_PAUSE_MS)
    }
    if (this.#first === undefined) return
    await this.#group.admit(this.#first).catch((error) => {
      // One that has ended meanwhile tells so itself.
      if (error.code !== 'ESRCH') throw refused(error)
    })
  }

  /** False for the end of a cell in which a limit was broken: it is told by the kernel's own end, which follows. */
  passes({ type }: Frame): boolean {
    if (type === 'awake') this.#renew()
    // What the code will start is to be as the kernel is.
    if (type === 'awake' || type === 'ready') setImmediate(() => this.#arrange(this.#processes()))
    if (type !== 'done' || performance.now() - this.#busySince < SHORT_MS) return true
    const processes = this.#processes()
    const breach = this.#breachSeen(processes)
    if (breach !== undefined) this.#end(breach, processes)
    return breach === undefined
  }

  /** How a kernel has ended, with the limit that it was killed for by the system. */
  explain(end: ChannelEnd): ChannelEnd {
    if (end.detail !== 'SIGKILL' || !this.#hasRunOut()) return end
    this.#endingSince = performance.now()
    return this.#outOfMemory()
  }

  /** The same of a fork's kernel. It takes nothing from the one that it comes from, whose next cell is not to pay for it. */
  explainFork(end: ChannelEnd): ChannelEnd {
    const isOver = end.detail === 'SIGKILL' && this.#hasRunOut()
    if (!isOver) return end
    this.#oomKills = this.#group?.oomKills() ?? 0
    return this.#outOfMemory()
  }

  beginFork(): void {
    this.#forks += 1
  }

  endFork(): void {
    this.#forks -= 1
    if (this.#forks === 0) this.#oomKills = this.#group?.oomKills() ?? 0
  }

  /** A cell of a fork is about to run, whose processes may be new. */
  expectFork(): void {
    this.#arrange(this.#processes())
  }

  setBusy(isBusy: boolean): void {
    if (isBusy) this.#busySince = performance.now()
    for (const ticker of this.#tickers) ticker.want(isBusy)
  }

  /** What the host puts into the working directory is its own affair. */
  whileHostWrites<T>(work: () => Promise<T>): Promise<T> {
    return this.#disk.forgivingly(work)
  }

  async close(): Promise<void> {
    for (const ticker of this.#tickers) ticker.close()
    await this.#group?.remove()
  }

  #renew(): void {
    this.#generation += 1
    this.#endingSince = undefined
    this.#oomKills = this.#group?.oomKills() ?? 0
  }

  async #look(): Promise<boolean> {
    const generation = this.#generation
    const processes = this.#processes()
    this.#arrange(processes)
    const code = processes.filter(({ pid, isDeaf }) => pid !== this.#keeper && !isDeaf)
    this.#isLively = code.length > 1 || code.some(({ threads }) => threads > 1)
    const breach = await this.#breachOf(processes)
    if (breach !== undefined && generation === this.#generation) this.#end(breach, processes)
    return this.#isLively
  }

  #arrange(processes: readonly ProcessInfo[]): void {
    if (this.#keeper !== undefined) this.#order.arrange(this.#keeper, processes)
  }

  get #keeper(): number | undefined {
    return this.#options.isKept ? this.#first : undefined
  }

  async #lookAtDisk(): Promise<boolean> {
    const generation = this.#generation
    if (this.#isEnding || (await this.#disk.isKept())) return this.#isLively
    if (generation === this.#generation) {
      this.#disk.forgive() // What was written until then stays, and the next cell is to be able to remove it.
      this.#end(limitEnd('disk', this.#options.plan.settings.disk), this.#processes())
    }
    return this.#isLively
  }

  async #breachOf(processes: readonly ProcessInfo[]): Promise<ChannelEnd | undefined> {
    const { watches, settings } = this.#options.plan
    if (this.#isEnding) return undefined
    const breach = this.#breachSeen(processes)
    if (breach !== undefined || !watches.memory) return breach
    const used = await memoryUse(processes, settings.memory)
    return used !== undefined && used > settings.memory ? this.#outOfMemory() : undefined
  }

  #breachSeen(processes: readonly ProcessInfo[]): ChannelEnd | undefined {
    return this.#forks === 0 && this.#hasRunOut() ? this.#outOfMemory() : this.#crowd(processes)
  }

  /** What the system counts by itself it refuses by itself. */
  #crowd(processes: readonly ProcessInfo[]): ChannelEnd | undefined {
    const { settings, watches } = this.#options.plan
    const isCrowded = watches.processes && tasks(processes) > settings.processes
    return isCrowded ? limitEnd('processes', settings.processes) : undefined
  }

  /** Whoever is told twice to end could be the one that goes on. */
  get #isEnding(): boolean {
    return this.#endingSince !== undefined && performance.now() - this.#endingSince < ENDING_MS
  }

  #end(breach: ChannelEnd, processes: readonly ProcessInfo[]): void {
    this.#endingSince = performance.now()
    const isTaken = this.#kernel?.breach(breach) === true
    if (isTaken && this.#keeper !== undefined) killGroups(this.#keeper, processes)
  }

  #hasRunOut(): boolean {
    return this.#group !== undefined && this.#group.oomKills() > this.#oomKills
  }

  #outOfMemory(): ChannelEnd {
    return limitEnd('memory', this.#options.plan.settings.memory)
  }

  #processes(): readonly ProcessInfo[] {
    this.#find()
    if (this.#group !== undefined) return this.#group.processes().flatMap((pid) => processInfo(pid) ?? [])
    const pid = this.#kernel?.pid
    return pid === undefined ? [] : processTree(pid).slice(this.#options.depth)
  }

  #find(): number | undefined {
    let pid = this.#first ?? this.#kernel?.pid
    for (let depth = this.#first === undefined ? this.#options.depth : 0; depth > 0 && pid !== undefined; depth--) {
      pid = childrenOf(pid)[0]
    }
    this.#first = pid
    return pid
  }
}

function tasks(processes: readonly ProcessInfo[]): number {
  return processes.reduce((sum, { threads }) => sum + threads, 0)
}

function refused(cause: unknown): CodeActError {
  const why = cause instanceof Error ? cause.message : String(cause)
  return new CodeActError('EXECUTOR_UNAVAILABLE', `local() could not limit what a sandbox uses: ${why}`, {
    hint: 'Close sandboxes that are not needed, and see whether control groups may be made in that folder.',
    cause,
  })
}
