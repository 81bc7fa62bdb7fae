import type { Deadline } from './deadline.ts'

/** How long an answer holds; who has not renewed it by then is busy. */
const ASK_EVERY_MS = 100

/**
 * Lets a cell's clock stand still while all its threads wait in tools with `pausesClock`. Only the kernel knows whether they do,
 * so it is asked for as long as such a call is under way; where there is no answer the clock runs.
 */
export class CellClock {
  readonly #deadline: Deadline
  readonly #ask: (calls: readonly string[]) => void
  readonly #calls = new Set<string>()
  #timer: NodeJS.Timeout | undefined
  #isAsked = false
  #isStale = false

  constructor(deadline: Deadline, ask: (calls: readonly string[]) => void) {
    this.#deadline = deadline
    this.#ask = ask
  }

  begin(call: string): void {
    this.#calls.add(call)
    // In a while: the call's thread has only just sent it.
    this.#timer ??= setTimeout(() => this.#renew(), 0)
  }

  /** A call of any kind is about to be answered, which sets its thread going. */
  end(call: string): void {
    this.#calls.delete(call)
    if (this.#timer === undefined) return
    this.#isStale = this.#isAsked
    this.#deadline.start()
    if (this.#calls.size === 0) this.stop()
  }

  answer(waits: boolean): void {
    const isGood = this.#isAsked && !this.#isStale
    this.#isAsked = this.#isStale = false
    if (this.#timer === undefined) return
    if (waits && isGood) this.#deadline.pause()
    else this.#deadline.start()
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #renew(): void {
    if (this.#isAsked) this.#deadline.start()
    else {
      this.#isAsked = true
      this.#ask([...this.#calls])
    }
    this.#timer = setTimeout(() => this.#renew(), ASK_EVERY_MS)
  }
}
