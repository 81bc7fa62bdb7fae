import { randomUUID } from 'node:crypto'
import { constants } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { EmulatedProcess, ProcessListener } from './process.ts'
import type { EmulatedSandbox } from './sandbox.ts'

/** How long a kernel that was interrupted because a client left swallows the next cell. */
const WEDGED_MS = 1000
/** A cell that ends so soon after its client left needed no interrupt. */
const GRACE_MS = 20

/** What a cell makes, as one line of NDJSON. */
type OnLine = (line: string, isLast: boolean) => void

/** One kernel: its variables live from cell to cell, and cells run one at a time. */
export class Context {
  readonly id = randomUUID()
  readonly language = 'python'
  readonly cwd: string
  readonly #sandbox: EmulatedSandbox
  #process: EmulatedProcess | undefined
  #turn: Promise<unknown> = Promise.resolve()
  #onLine: ((line: string) => void) | undefined
  #rest = ''
  #hasRun = false
  #wedgedUntil = 0
  #giveUp: () => void = () => {}

  constructor(sandbox: EmulatedSandbox, cwd: string) {
    this.#sandbox = sandbox
    this.cwd = cwd
  }

  /** Again after a restart, and by itself after its death, as Jupyter does. */
  async start(): Promise<void> {
    const config = { cmd: 'python3', args: ['/opt/emulator/kernel.py'], cwd: this.cwd }
    await this.#sandbox.start(config, { stdin: true, kernel: this.id }, (process) => {
      this.#process = process
      this.#hasRun = false
      const listener: ProcessListener = {
        onOutput: (stream, bytes) => stream === 'stdout' && this.#feed(bytes.toString()),
        onEnd: () => this.#process === process && void this.start().catch(() => {}),
      }
      process.listeners.add(listener)
    })
  }

  /** What runs ends, untold. */
  async restart(): Promise<void> {
    const old = this.#process
    this.#process = undefined
    this.#giveUp()
    await old?.signal(constants.signals.SIGKILL)
    await this.start()
  }

  async remove(): Promise<void> {
    const old = this.#process
    this.#process = undefined
    await old?.signal(constants.signals.SIGKILL)
  }

  /** Ends when the cell has, or when whoever asked has left: then the cell is interrupted. */
  async execute(code: string, envs: Readonly<Record<string, string>>, gone: Promise<void>, onLine: OnLine) {
    const turn = this.#turn.then(() => this.#execute(code, envs, gone, onLine))
    this.#turn = turn.catch(() => {})
    return turn
  }

  async #execute(code: string, envs: Readonly<Record<string, string>>, gone: Promise<void>, onLine: OnLine) {
    if (performance.now() < this.#wedgedUntil) return gone
    const global = this.#hasRun ? {} : this.#sandbox.globalEnvironment
    this.#hasRun = true
    const ended = new Promise<'ended'>((resolve) => {
      this.#onLine = (line) => {
        const isLast = line === '{"type": "end_of_execution"}'
        onLine(line, isLast)
        if (isLast) resolve('ended')
      }
    })
    await this.#process?.write(Buffer.from(`${JSON.stringify(withEnvironment(code, { ...global, ...envs }))}\n`))
    const givenUp = new Promise<'ended'>((resolve) => {
      this.#giveUp = () => resolve('ended')
    })
    await Promise.race([ended, gone, givenUp])
    const outcome = await Promise.race([ended, givenUp, sleep(GRACE_MS)])
    this.#onLine = undefined
    if (outcome === 'ended') return
    // The server lets the next cell in before the kernel has met the interrupt, which then takes that cell with it.
    this.#wedgedUntil = performance.now() + WEDGED_MS
    await this.#process?.signal(constants.signals.SIGINT)
  }

  #feed(text: string): void {
    const lines = (this.#rest + text).split('\n')
    this.#rest = lines.pop() ?? ''
    for (const line of lines) this.#onLine?.(line)
  }
}

/** E2B puts assignments before the code: lines move, and a quote in a value breaks the cell. */
function withEnvironment(code: string, envs: Readonly<Record<string, string>>): string {
  const assignments = Object.entries(envs).map(([name, value]) => `os.environ['${name}'] = '${value}'`)
  return [...(assignments.length > 0 ? ['import os', ...assignments] : []), code].join('\n')
}
