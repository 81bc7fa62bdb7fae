import { Worker } from 'node:worker_threads'
import { COUNT, NAME_BYTES, NAME_OFFSET } from './shared-layout.mjs'

const shared = new SharedArrayBuffer(NAME_OFFSET + NAME_BYTES)
const words = new Int32Array(shared)
const named = new Uint8Array(shared, NAME_OFFSET)
const current = new Uint8Array(NAME_BYTES)
let seen = 0

/** Longer than the watcher ever takes. */
const WATCHER_MS = 200

/** Starts the thread that can notice an interrupt, and the host's end, whatever this one is busy with. */
export function watchForInterrupts() {
  const options = {
    workerData: shared,
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 1 },
  }
  new Worker(new URL('./watcher.mjs', import.meta.url), options).unref()
}

/**
 * Names the cell that runs now; none with an empty name.
 *
 * @param {string} cell
 */
export function beginCell(cell) {
  current.fill(0)
  Buffer.from(cell, 'latin1').copy(current)
  seen = -1 // An interrupt may have come before its cell.
}

/** True once for each interrupt that names the running cell. Asked very often, so it is cheap when there is none. */
export function isInterrupted() {
  const count = Atomics.load(words, COUNT)
  if (count === seen) return false
  seen = count
  return current[0] !== 0 && namesCurrent()
}

/**
 * The same, where the host said by a frame that it has interrupted for the `number`th time: that may be here before the
 * watcher has seen it.
 *
 * @param {number} number
 */
export function isInterruptedBy(number) {
  for (let count = Atomics.load(words, COUNT); count < number; count = Atomics.load(words, COUNT)) {
    if (Atomics.wait(words, COUNT, count, WATCHER_MS) === 'timed-out') break
  }
  return isInterrupted()
}

/**
 * Sleeps, but not through an interrupt of the running cell.
 *
 * @param {number} milliseconds
 */
export function sleep(milliseconds) {
  const until = performance.now() + milliseconds
  for (;;) {
    const count = Atomics.load(words, COUNT)
    if (count !== seen && namesCurrent()) return
    const left = until - performance.now()
    if (left <= 0) return
    Atomics.wait(words, COUNT, count, left)
  }
}

function namesCurrent() {
  return current.every((byte, index) => byte === named[index])
}
