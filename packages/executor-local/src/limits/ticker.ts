const SLOWEST_MS = 2000
const IDLE_MS = 1000

interface Pace {
  /** After something has begun. */
  readonly firstMs: number
  /** From then on, at most. */
  readonly everyMs: number
  /** How much of the time may be spent on it. */
  readonly share: number
}

/**
 * Work that is done again and again while there is a reason to: while it is wanted, and as long after that as it says itself, but not
 * as often. The more it costs, the seldomer. It never keeps this process alive.
 */
export class Ticker {
  readonly #work: () => Promise<boolean>
  readonly #pace: Pace
  #timer: NodeJS.Timeout | undefined
  /** What the last time was worth of rest. */
  #restMs = 0
  #isAtWork = false
  /** Whether it is only done because of what it has found itself. */
  #isIdling = false
  #isWanted = false
  #isClosed = false

  /** `work` gives whether to go on also where nobody wants it. */
  constructor(work: () => Promise<boolean>, pace: Pace) {
    this.#work = work
    this.#pace = pace
  }

  want(isWanted: boolean): void {
    this.#isWanted = isWanted
    if (!isWanted || this.#isAtWork || (this.#timer !== undefined && !this.#isIdling)) return
    this.#schedule(Math.max(this.#pace.firstMs, this.#restMs))
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
  }

  #schedule(ms: number, isIdling = false): void {
    clearTimeout(this.#timer)
    this.#isIdling = isIdling
    this.#timer = setTimeout(() => this.#tick(), ms).unref()
  }

  async #tick(): Promise<void> {
    this.#timer = undefined
    this.#isAtWork = true
    const before = performance.now()
    const goesOn = await this.#work()
    const took = performance.now() - before
    this.#isAtWork = false
    if (this.#isClosed || !(this.#isWanted || goesOn)) return
    this.#restMs = Math.min(took / this.#pace.share, SLOWEST_MS)
    if (this.#isWanted) this.#schedule(Math.max(this.#pace.everyMs, this.#restMs))
    else this.#schedule(Math.max(IDLE_MS, this.#restMs), true)
  }
}
