import fs from 'node:fs'

/** What the host gives this process. 2 is Node's own standard error: nothing that Python prints goes there. */
export const FRAMES_IN = 0
export const FRAMES_OUT = 1
/** Names of cells to interrupt, a fixed length each; its end means that the host is gone. */
export const INTERRUPTS = 3
/** The snapshot, a regular file: to read from, or to write to when one is to be made. */
export const SNAPSHOT = 4

const clock = new Int32Array(new SharedArrayBuffer(4))

/**
 * Waits for bytes and reads what is there; 0 at the end.
 *
 * @param {number} descriptor
 * @param {Uint8Array} into
 * @returns {number}
 */
export function readSome(descriptor, into) {
  for (;;) {
    try {
      return fs.readSync(descriptor, into)
    } catch (error) {
      if (codeOf(error) === 'EOF') return 0
      if (codeOf(error) !== 'EAGAIN') throw error
      Atomics.wait(clock, 0, 0, 1)
    }
  }
}

/**
 * Fills the array; throws where the bytes end too early.
 *
 * @param {number} descriptor
 * @param {Uint8Array} into
 */
export function readAll(descriptor, into) {
  for (let filled = 0; filled < into.length; ) {
    const count = readSome(descriptor, into.subarray(filled))
    if (count === 0) throw new Error('the data ends too early')
    filled += count
  }
}

/**
 * @param {number} descriptor
 * @param {Uint8Array} data
 */
export function writeAll(descriptor, data) {
  for (let written = 0; written < data.length; ) {
    try {
      written += fs.writeSync(descriptor, data, written)
    } catch (error) {
      if (codeOf(error) !== 'EAGAIN') throw error
      Atomics.wait(clock, 0, 0, 1)
    }
  }
}

/** @param {unknown} error */
function codeOf(error) {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
