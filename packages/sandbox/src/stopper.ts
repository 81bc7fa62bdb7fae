import type { CellEnd, KernelClient } from './kernel-client.ts'

/** After an interrupt, how long a cell may take to stop by itself before it is killed. */
const GRACE_MS = 400
/** After a kill, how long the kernel's end is waited for before the cell is settled without it. */
const KILL_MS = 400
/** How much longer either may take where the kernel is far away. */
const FARTHEST_MS = 5000

/** Interrupt, then kill, then go on without: whatever the code does, a cell comes to an end within a second, and two round trips. */
export class Stopper {
  #kernel: KernelClient | undefined
  #settle: (end: CellEnd) => void = () => {}
  #timer: NodeJS.Timeout | undefined

  /** Settles only when a killed kernel does not even tell that it is gone. */
  watch(kernel: KernelClient): Promise<CellEnd> {
    this.#kernel = kernel
    return new Promise((resolve) => {
      this.#settle = resolve
    })
  }

  stop(): void {
    this.#kernel?.interrupt()
    this.#timer = setTimeout(() => this.#kill(), GRACE_MS + this.#farMs)
  }

  /** The cell ended; nothing of it is left to be stopped. */
  cancel(): void {
    clearTimeout(this.#timer)
  }

  #kill(): void {
    this.#kernel?.kill()
    const end: CellEnd = { type: 'gone', end: { reason: 'signal', detail: 'it was killed' } }
    this.#timer = setTimeout(() => this.#settle(end), KILL_MS + this.#farMs)
  }

  get #farMs(): number {
    return Math.min(this.#kernel?.roundTripMs ?? 0, FARTHEST_MS)
  }
}
