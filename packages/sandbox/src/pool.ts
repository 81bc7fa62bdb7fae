import type { Backend, Channel } from './backend.ts'
import type { Frame } from './frames/frame.ts'

/** Starting a sandbox takes this process's time, which whoever takes several at once is not to wait for. */
const REFILL_AFTER_MS = 10

/**
 * Sandboxes that are started before anybody asks for one, each with its first kernel running. Each is given away once; in its
 * place another is started. None of them keeps the process alive.
 */
export class Pool {
  readonly #size: number
  readonly #start: () => Promise<WarmBackend>
  readonly #warm: Promise<WarmBackend | undefined>[] = []
  #refill: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(size: number, start: () => Promise<WarmBackend>) {
    this.#size = size
    this.#start = start
  }

  /** Starts what is missing, in the background. What cannot be started is missing until somebody takes one again. */
  fill(): void {
    while (!this.#isClosed && this.#warm.length < this.#size) this.#warm.push(this.#startOne())
  }

  /** The one that was started first and still lives, once it has started; undefined where there is none. */
  async take(): Promise<Backend | undefined> {
    for (let next = this.#warm.shift(); next !== undefined; next = this.#warm.shift()) {
      const backend = await next
      if (backend === undefined) break
      if (backend.isAlive) {
        backend.wake()
        this.#fillSoon()
        return backend
      }
      await backend.close()
    }
    this.fill()
    return undefined
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#refill)
    const backends = await Promise.all(this.#warm.splice(0))
    await Promise.all(backends.map((backend) => backend?.close()))
  }

  #fillSoon(): void {
    this.#refill ??= setTimeout(() => {
      this.#refill = undefined
      this.fill()
    }, REFILL_AFTER_MS).unref()
  }

  async #startOne(): Promise<WarmBackend | undefined> {
    try {
      return await this.#start()
    } catch {
      // Who opens a sandbox will start one itself, and be told what is wrong.
      return undefined
    }
  }
}

/** A backend whose first kernel runs already, before it is asked for. */
export class WarmBackend implements Backend {
  readonly capabilities: Backend['capabilities']
  readonly files: Backend['files']
  readonly fork: Backend['fork']
  readonly #backend: Backend
  readonly #language: string
  readonly #early: Frame[] = []
  #channel: Channel | undefined
  #receive = (frame: Frame): void => void this.#early.push(frame)
  #isAlive = true

  static async start(backend: Backend, language: string): Promise<WarmBackend> {
    const warm = new WarmBackend(backend, language)
    try {
      await warm.#connect()
    } catch (error) {
      await backend.close()
      throw error
    }
    backend.setIdle?.(true)
    return warm
  }

  private constructor(backend: Backend, language: string) {
    this.capabilities = backend.capabilities
    this.files = backend.files
    this.fork = backend.fork?.bind(backend)
    this.#backend = backend
    this.#language = language
  }

  get isAlive(): boolean {
    return this.#isAlive
  }

  wake(): void {
    this.#backend.setIdle?.(false)
  }

  async connect(language: string, receive: (frame: Frame) => void): Promise<Channel> {
    const channel = this.#channel
    if (channel === undefined || language !== this.#language || !this.#isAlive) {
      return this.#backend.connect(language, receive)
    }
    this.#channel = undefined
    this.#receive = receive
    for (const frame of this.#early.splice(0)) receive(frame)
    return channel
  }

  setBusy(isBusy: boolean): void {
    this.#backend.setBusy?.(isBusy)
  }

  close(): Promise<void> {
    return this.#backend.close()
  }

  async #connect(): Promise<void> {
    this.#channel = await this.#backend.connect(this.#language, (frame) => this.#receive(frame))
    void this.#channel.closed.then(() => {
      this.#isAlive = false
    })
  }
}
