import { randomBytes } from 'node:crypto'
import { constants } from 'node:os'
import { Agent } from './agent.ts'
import { buildCage, type Cage } from './cage.ts'
import type { Exchange } from './exchange.ts'
import { EmulatedProcess, endOf, type ProcessConfig, type StartOptions } from './process.ts'

export interface SandboxSettings {
  readonly templateID: string
  readonly timeout?: number
  readonly metadata?: Readonly<Record<string, string>>
  readonly envVars?: Readonly<Record<string, string>>
  readonly autoPause?: boolean
  readonly autoResume?: { readonly enabled: boolean }
  readonly allow_internet_access?: boolean
  readonly network?: { readonly allowOut?: readonly string[]; readonly denyOut?: readonly string[] }
}

type OnGone = (sandbox: EmulatedSandbox) => void

const DEFAULT_TIMEOUT_S = 300
const FINISHED_FOR_MS = 30_000

/** A sandbox: an own home, own processes, and a time to live. */
export class EmulatedSandbox {
  readonly id = `i${randomBytes(10).toString('hex').slice(0, 19)}`
  readonly token = randomBytes(16).toString('hex')
  readonly settings: SandboxSettings
  readonly startedAt = new Date()
  endAt = new Date()
  state: 'running' | 'paused' | 'gone' = 'running'
  network: unknown
  /** Requests under way, which end with the sandbox. */
  readonly exchanges = new Set<Exchange>()
  readonly processes = new Map<number, EmulatedProcess>()
  /** Who wants to hear of changed files. */
  readonly watchers = new Map<number, (change: unknown) => void>()
  readonly agent: Agent
  readonly #cage: Cage
  readonly #onGone: OnGone
  #timer: NodeJS.Timeout | undefined
  #keptMemory = true

  static async open(settings: SandboxSettings, hasInternet: boolean, onGone: OnGone): Promise<EmulatedSandbox> {
    const sandbox = new EmulatedSandbox(settings, await buildCage(hasInternet), onGone)
    await sandbox.agent.ask('hello').catch(async (error: unknown) => {
      await sandbox.kill()
      throw error
    })
    return sandbox
  }

  private constructor(settings: SandboxSettings, cage: Cage, onGone: OnGone) {
    this.settings = settings
    this.network = settings.network
    this.#cage = cage
    this.#onGone = onGone
    this.agent = new Agent(cage, (head, body) => {
      if (head.event === 'file') this.watchers.get(head.watch as number)?.(head.change)
      const process = this.processes.get(head.pid as number)
      if (head.event === 'output') process?.output(head.stream as string, body)
      if (head.event === 'end') process?.finish(endOf(head))
      if (head.event === 'end') this.#forgetLater(head.pid as number)
    })
    void this.agent.closed.then(() => this.kill())
    this.setTimeout(settings.timeout ?? DEFAULT_TIMEOUT_S)
  }

  /** Seconds from now on. */
  setTimeout(seconds: number): void {
    this.endAt = new Date(Date.now() + seconds * 1000)
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.expire(), seconds * 1000).unref()
  }

  extendTimeout(seconds = DEFAULT_TIMEOUT_S): void {
    if (Date.now() + seconds * 1000 > this.endAt.getTime()) this.setTimeout(seconds)
  }

  /** Its time is over. */
  async expire(): Promise<void> {
    if (this.settings.autoPause) await this.pause(true)
    else await this.kill()
  }

  /** `onStart` is called before any output of the process is. */
  async start<T>(config: ProcessConfig, options: StartOptions, onStart: (process: EmulatedProcess) => T): Promise<T> {
    const head = {
      cmd: config.cmd,
      args: config.args ?? [],
      cwd: config.cwd ?? '',
      env: { ...this.#userEnvironment(), ...this.globalEnvironment, ...config.envs },
      stdin: options.stdin,
      ...(options.kernel ? { kernel: options.kernel } : {}),
    }
    return this.agent.ask('start', head, undefined, (reply) => {
      const process = new EmulatedProcess(this.agent, reply.head.pid as number, config, options)
      this.processes.set(process.pid, process)
      return onStart(process)
    })
  }

  /** What every process has, a notebook's cells included. */
  get globalEnvironment(): Record<string, string> {
    return {
      E2B_SANDBOX: 'true',
      E2B_SANDBOX_ID: this.id,
      E2B_TEMPLATE_ID: this.settings.templateID,
      ...this.settings.envVars,
    }
  }

  /** A pause that does not keep the memory keeps the files only. */
  async pause(keepsMemory: boolean): Promise<void> {
    this.state = 'paused'
    this.#keptMemory = keepsMemory
    clearTimeout(this.#timer)
    this.#dropStreams()
    await this.agent.ask('signal-all', { signal: constants.signals.SIGSTOP })
  }

  async resume(seconds: number | undefined, keepsMemory: boolean): Promise<void> {
    const { SIGCONT, SIGKILL } = constants.signals
    await this.agent.ask('signal-all', { signal: keepsMemory && this.#keptMemory ? SIGCONT : SIGKILL })
    this.state = 'running'
    this.setTimeout(seconds ?? DEFAULT_TIMEOUT_S)
  }

  async kill(): Promise<void> {
    if (this.state === 'gone') return
    this.state = 'gone'
    clearTimeout(this.#timer)
    this.#dropStreams()
    this.#onGone(this)
    await this.agent.kill()
    await this.#cage.remove()
  }

  #userEnvironment(): Record<string, string> {
    return { PATH: this.#cage.path, HOME: '/home/user', USER: 'user', LOGNAME: 'user' }
  }

  #dropStreams(): void {
    for (const exchange of this.exchanges) exchange.outlet.drop()
    this.exchanges.clear()
  }

  #forgetLater(pid: number): void {
    setTimeout(() => this.processes.delete(pid), FINISHED_FOR_MS).unref()
  }
}
