import { readFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { expect } from 'vitest'

const MEGABYTE = 1024 * 1024
/** Far above what an idle machine shows. */
const MOST_DELAY_MS = 100
/** How often the event loop is asked; part of every delay that Node tells. */
const RESOLUTION_MS = 10
/** What a sandbox keeps of its output by default, and 64 MB. */
const MOST_GROWTH_BYTES = 65 * MEGABYTE
const SAMPLE_MS = 20

/** How many threads want to run on this machine right now; where the system does not tell, over the last minute. */
function runnable(): number {
  try {
    return Number(/(\d+)\//.exec(readFileSync('/proc/loadavg', 'latin1'))?.[1])
  } catch {
    return loadavg()[0] ?? 1
  }
}

/** How many times the usual delay and growth an executor may take, whose SDK does the work of its own in this process. */
export interface HostLeniency {
  readonly delay: number
  readonly growth: number
}

/** Watches this process while a case runs: whether it stayed responsive, and how far its memory grew. */
export class HostWatch {
  readonly #delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  readonly #before = process.memoryUsage.rss()
  readonly #timer: NodeJS.Timeout
  readonly #mostDelayMs: number
  readonly #mostGrowthBytes: number
  #peak = 0
  #samples = 0
  #runnable = 0

  /** `mostDelayMs`: p99 of the event loop's delay on a machine that does nothing else. */
  constructor(mostDelayMs = MOST_DELAY_MS, { delay, growth }: HostLeniency = { delay: 1, growth: 1 }) {
    this.#mostDelayMs = mostDelayMs * delay
    this.#mostGrowthBytes = MOST_GROWTH_BYTES * growth
    this.#delay.enable()
    this.#timer = setInterval(() => this.#sample(), SAMPLE_MS)
  }

  /** Ends the watch and says what it saw. */
  check(): void {
    this.stop()
    this.#sample()
    const delayMs = this.#delay.percentile(99) / 1e6 - RESOLUTION_MS
    expect(delayMs, "p99 of the delay of the host's event loop, ms").toBeLessThan(this.#mostDelayMs * this.#sharedBy())
    expect((this.#peak - this.#before) / MEGABYTE, "growth of the host's memory, MB").toBeLessThan(
      this.#mostGrowthBytes / MEGABYTE,
    )
  }

  stop(): void {
    this.#delay.disable()
    clearInterval(this.#timer)
  }

  /** How many times as long things took, because the machine did others as well. */
  #sharedBy(): number {
    return Math.max(1, this.#runnable / this.#samples / availableParallelism())
  }

  #sample(): void {
    this.#peak = Math.max(this.#peak, process.memoryUsage.rss())
    this.#samples += 1
    this.#runnable += runnable()
  }
}
