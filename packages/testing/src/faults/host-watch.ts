import { availableParallelism, loadavg } from 'node:os'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { expect } from 'vitest'

const MEGABYTE = 1024 * 1024
/** Far above what an idle machine shows. */
const LONGEST_DELAY_MS = 100
/** What a sandbox keeps of its output by default, and 64 MB. */
const MOST_GROWTH_BYTES = 65 * MEGABYTE
const SAMPLE_MS = 20

/** How many times as long things take here, because the machine does others as well. */
function sharedBy(): number {
  return Math.max(1, (loadavg()[0] ?? 1) / availableParallelism())
}

/** Watches this process while a case runs: whether it stayed responsive, and how far its memory grew. */
export class HostWatch {
  readonly #delay = monitorEventLoopDelay({ resolution: 10 })
  readonly #before = process.memoryUsage.rss()
  readonly #timer: NodeJS.Timeout
  #peak = 0

  constructor() {
    this.#delay.enable()
    this.#timer = setInterval(() => this.#sample(), SAMPLE_MS)
  }

  /** Ends the watch and says what it saw. */
  check(): void {
    this.stop()
    this.#sample()
    expect(this.#delay.percentile(99) / 1e6, "p99 of the delay of the host's event loop, ms").toBeLessThan(
      LONGEST_DELAY_MS * sharedBy(),
    )
    expect((this.#peak - this.#before) / MEGABYTE, "growth of the host's memory, MB").toBeLessThan(
      MOST_GROWTH_BYTES / MEGABYTE,
    )
  }

  stop(): void {
    this.#delay.disable()
    clearInterval(this.#timer)
  }

  #sample(): void {
    this.#peak = Math.max(this.#peak, process.memoryUsage.rss())
  }
}
