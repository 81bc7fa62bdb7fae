const LONGEST_MS = 2 ** 31 - 1

/**
 * The clock of a Python that waits. It has one thread and one thing to wait for, frames; so where it waits no longer than
 * some time, it asks for a frame when that time is over. Only the last request counts.
 */
export class Alarm {
  readonly #ring: (id: string) => void
  #timer: NodeJS.Timeout | undefined

  constructor(ring: (id: string) => void) {
    this.#ring = ring
  }

  set(id: string, { ms }: { readonly ms?: unknown }): void {
    this.clear()
    const delay = Math.min(Number(ms), LONGEST_MS)
    if (!(delay >= 0)) throw new TypeError('an alarm without a time')
    this.#timer = setTimeout(() => this.#ring(id), delay)
  }

  clear(): void {
    clearTimeout(this.#timer)
  }
}
