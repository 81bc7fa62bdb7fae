import type { LimitReached } from '@codeact/spec'

/** The longest that a timer of Node's can wait. */
const LONGEST_MS = 2 ** 31 - 1

/** The signal of one run: that of its caller, and the end of the time it may take. */
export class WallClock {
  readonly signal: AbortSignal
  readonly #limitMs: number
  readonly #start = performance.now()
  readonly #over = new AbortController()
  readonly #timer: NodeJS.Timeout | undefined

  constructor(limitMs: number, given: AbortSignal) {
    this.#limitMs = limitMs
    this.signal = limitMs === Infinity ? given : AbortSignal.any([given, this.#over.signal])
    if (limitMs <= LONGEST_MS) this.#timer = setTimeout(() => this.#over.abort(), limitMs)
  }

  /** Set once the time was over. */
  get reached(): LimitReached | undefined {
    if (!this.#over.signal.aborted) return undefined
    return { name: 'wallTimeMs', allowed: this.#limitMs, used: Math.round(performance.now() - this.#start) }
  }

  stop(): void {
    clearTimeout(this.#timer)
  }
}
