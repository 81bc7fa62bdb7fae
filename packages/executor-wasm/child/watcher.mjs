// A thread of its own: it reads the names of cells to interrupt into shared memory, and when the host is gone it ends the
// process at once, also in the middle of a computation that looks at nothing else.

import { workerData } from 'node:worker_threads'
import { INTERRUPTS, readAll } from './descriptors.mjs'
import { COUNT, NAME_BYTES, NAME_OFFSET } from './shared-layout.mjs'

const words = new Int32Array(workerData)
const named = new Uint8Array(workerData, NAME_OFFSET)
const name = new Uint8Array(NAME_BYTES)

for (;;) {
  try {
    readAll(INTERRUPTS, name)
  } catch {
    process.kill(process.pid, 'SIGKILL')
  }
  named.set(name)
  Atomics.add(words, COUNT, 1)
  Atomics.notify(words, COUNT)
}
