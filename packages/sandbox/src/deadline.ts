/** A limit on running time whose clock can stand still. */
export class Deadline {
  readonly #limitMs: number
  readonly #onExpired: () => void
  #timer: NodeJS.Timeout | undefined
  #elapsedMs = 0
  #startedAt = 0
  #isRunning = false

  constructor(limitMs: number, onExpired: () => void) {
    this.#limitMs = limitMs
    this.#onExpired = onExpired
  }

  /** Milliseconds on the clock. */
  get elapsedMs(): number {
    return this.#elapsedMs + (this.#isRunning ? performance.now() - this.#startedAt : 0)
  }

  start(): void {
    if (this.#isRunning) return
    this.#isRunning = true
    this.#startedAt = performance.now()
    // Longer than setTimeout can count is as good as no limit.
    const leftMs = this.#limitMs - this.#elapsedMs
    if (leftMs < 2 ** 31) this.#timer = setTimeout(this.#onExpired, Math.max(0, leftMs))
  }

  pause(): void {
    if (!this.#isRunning) return
    this.#elapsedMs = this.elapsedMs
    this.#isRunning = false
    clearTimeout(this.#timer)
  }
}
