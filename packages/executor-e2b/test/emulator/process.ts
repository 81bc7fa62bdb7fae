import type { Agent } from './agent.ts'

export interface ProcessConfig {
  readonly cmd: string
  readonly args?: readonly string[]
  readonly envs?: Readonly<Record<string, string>>
  readonly cwd?: string
}

/** What E2B says of a process that ended; values that are the default are left out. */
export interface ProcessEnd {
  readonly exitCode?: number
  readonly exited?: true
  readonly status: string
  readonly error?: string
}

export interface StartOptions {
  readonly stdin: boolean
  readonly tag?: string | undefined
  /** The Jupyter kernel that it is. */
  readonly kernel?: string
}

export interface ProcessListener {
  onOutput(stream: string, bytes: Buffer): void
  onEnd(end: ProcessEnd): void
}

/** A command that was started in a sandbox. Output that nobody listens to is lost. */
export class EmulatedProcess {
  readonly pid: number
  readonly config: ProcessConfig
  readonly tag: string | undefined
  /** No command of the user, and in no list. */
  readonly isKernel: boolean
  readonly listeners = new Set<ProcessListener>()
  end: ProcessEnd | undefined
  readonly #agent: Agent
  #holders = 0

  constructor(agent: Agent, pid: number, config: ProcessConfig, { tag, kernel }: StartOptions) {
    this.#agent = agent
    this.pid = pid
    this.config = config
    this.tag = tag
    this.isKernel = kernel !== undefined
  }

  output(stream: string, bytes: Buffer): void {
    for (const listener of this.listeners) listener.onOutput(stream, bytes)
  }

  finish(end: ProcessEnd): void {
    this.end = end
    for (const listener of this.listeners) listener.onEnd(end)
    this.listeners.clear()
  }

  async write(bytes: Uint8Array): Promise<void> {
    await this.#agent.ask('write', { pid: this.pid }, bytes)
  }

  async closeStdin(): Promise<void> {
    await this.#agent.ask('close-stdin', { pid: this.pid })
  }

  async signal(number: number): Promise<void> {
    await this.#agent.ask('signal', { pid: this.pid, signal: number })
  }

  get isHeld(): boolean {
    return this.#holders > 0
  }

  /** Its output waits in the pipe until all who held it let it go. */
  hold(): void {
    this.#holders += 1
    if (this.#holders === 1) this.#flow(false)
  }

  release(): void {
    this.#holders -= 1
    if (this.#holders === 0) this.#flow(true)
  }

  #flow(flows: boolean): void {
    this.#agent.ask('flow', { pid: this.pid, flows }).catch(() => {})
  }
}

const SIGNAL_NAMES: Readonly<Record<number, string>> = {
  1: 'hangup',
  2: 'interrupt',
  6: 'aborted',
  9: 'killed',
  11: 'segmentation fault',
  15: 'terminated',
}

export function endOf({ code, signal }: { readonly code?: number; readonly signal?: number }): ProcessEnd {
  if (signal !== undefined) {
    const status = `signal: ${SIGNAL_NAMES[signal] ?? signal}`
    return { exitCode: -1, status, error: status }
  }
  const status = `exit status ${code}`
  return code === 0 ? { exited: true, status } : { exitCode: code, exited: true, status, error: status }
}
