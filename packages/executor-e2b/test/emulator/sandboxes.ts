import type { Faults } from './faults.ts'
import { EmulatedSandbox, type SandboxSettings } from './sandbox.ts'

/** Those of one emulator, by id, in the order of their making. */
export class Sandboxes {
  readonly all = new Map<string, EmulatedSandbox>()
  readonly apiKey: string
  readonly templates: readonly string[]
  readonly #hasInternet: boolean
  readonly #faults: Faults
  readonly #opening = new Set<Promise<EmulatedSandbox>>()

  constructor(apiKey: string, templates: readonly string[], hasInternet: boolean, faults: Faults) {
    this.apiKey = apiKey
    this.templates = templates
    this.#hasInternet = hasInternet
    this.#faults = faults
  }

  /** Paused ones cost a team nothing. */
  get isFull(): boolean {
    const running = [...this.all.values()].filter(({ state }) => state === 'running')
    return running.length + this.#opening.size >= this.limit
  }

  get limit(): number {
    return this.#faults.maxSandboxes
  }

  async open(settings: SandboxSettings): Promise<EmulatedSandbox> {
    const hasInternet = this.#hasInternet && settings.allow_internet_access !== false
    const opening = EmulatedSandbox.open(settings, hasInternet, ({ id }) => this.all.delete(id))
    this.#opening.add(opening)
    try {
      const sandbox = await opening
      this.all.set(sandbox.id, sandbox)
      return sandbox
    } finally {
      this.#opening.delete(opening)
    }
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.#opening)
    await Promise.all([...this.all.values()].map((sandbox) => sandbox.kill()))
  }
}
