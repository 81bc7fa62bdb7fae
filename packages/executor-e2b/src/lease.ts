/** An extension that failed is tried again after this part of the time. */
const RETRY = 10
const RENEW = 3

/**
 * How long a sandbox has to live: E2B ends it when its time is up, and nobody but us knows that it is used. While it is, the time
 * begins anew, at every third of it.
 */
export class Lease {
  readonly #idleMs: number
  readonly #extend: (ms: number) => Promise<unknown>
  #endsAt: number
  #isBusy = false
  #isUsed = true
  #timer: NodeJS.Timeout | undefined

  /** `extend` gives the sandbox so many milliseconds from now. */
  constructor(idleMs: number, extend: (ms: number) => Promise<unknown>) {
    this.#idleMs = idleMs
    this.#extend = extend
    this.#endsAt = Date.now() + idleMs
    this.#wait(idleMs / RENEW)
  }

  /** Whether its time is up, as far as is known here. */
  get isOver(): boolean {
    return Date.now() > this.#endsAt - 1000
  }

  use(): void {
    this.#isUsed = true
  }

  setBusy(isBusy: boolean): void {
    this.#isBusy = isBusy
    this.use()
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #wait(ms: number): void {
    this.#timer = setTimeout(() => void this.#renew(), ms)
    this.#timer.unref()
  }

  async #renew(): Promise<void> {
    if (!this.#isUsed && !this.#isBusy) return this.#wait(this.#idleMs / RENEW)
    this.#isUsed = false
    const timer = this.#timer
    const since = Date.now()
    const isExtended = await this.#extend(this.#idleMs).then(
      () => true,
      () => false,
    )
    if (isExtended) this.#endsAt = since + this.#idleMs
    else this.#isUsed = true
    if (this.#timer === timer) this.#wait(this.#idleMs / (isExtended ? RENEW : RETRY))
  }
}
