import { randomFillSync } from 'node:crypto'
import fs from 'node:fs'
import { FRAMES_IN, readAll, readSome } from './descriptors.mjs'
import { endProcess } from './end-process.mjs'
import { flushOutput, isOutputDue, sendFrame, sendOutput } from './frames.mjs'
import { beginCell, isInterrupted, isInterruptedBy, sleep } from './interrupts.mjs'

/** @typedef {ReturnType<typeof hostFunctions>} HostFunctions */

const encoder = new TextEncoder()
/** @type {Map<string, InstanceType<typeof TextDecoder>>} */
const decoders = new Map()

const arrays = Object.getPrototypeOf(Uint8Array.prototype)
const [bufferOf, offsetOf, lengthOf] = ['buffer', 'byteOffset', 'byteLength'].map(
  (name) => Object.getOwnPropertyDescriptor(arrays, name)?.get,
)

/**
 * All that the realm can ask of this process. Only primitives and the realm's own arrays come in, only primitives go out,
 * and nothing is thrown: an error object would be a way out.
 *
 * @param {Readonly<Record<string, string>>} files paths, by the names that Pyodide asks for
 * @param {(timer: number) => void} onTimer
 */
export function hostFunctions(files, onTimer) {
  return guarded({
    /** @param {string} name */
    fileSize: (name) => fs.statSync(files[name] ?? '').size,

    /**
     * @param {string} name
     * @param {Uint8Array} into
     */
    readFile(name, into) {
      const descriptor = fs.openSync(files[name] ?? '', 'r')
      readAll(descriptor, ours(into))
      fs.closeSync(descriptor)
    },

    /**
     * Waits for the host.
     *
     * @param {Uint8Array} into
     */
    receive: (into) =>
      orEnd(() => {
        flushOutput()
        return readSome(FRAMES_IN, ours(into)) || endProcess()
      }),

    /** @param {Uint8Array} frame */
    send: (frame) => orEnd(() => sendFrame(ours(frame))),

    /**
     * @param {number} stream
     * @param {Uint8Array} bytes
     */
    output: (stream, bytes) => orEnd(() => sendOutput(stream === 1 ? 'stdout' : 'stderr', ours(bytes))),

    beginCell,

    /** Asked every few instructions of Python, so this is also where waiting output is seen to. */
    isInterrupted() {
      if (isOutputDue()) orEnd(flushOutput)
      return isInterrupted()
    },
    isInterruptedBy,

    /** @param {number} milliseconds */
    sleep(milliseconds) {
      orEnd(flushOutput)
      sleep(milliseconds)
    },
    now: () => performance.now(),

    /**
     * @param {number} timer
     * @param {number} milliseconds
     */
    setTimer: (timer, milliseconds) => void setTimeout(onTimer, milliseconds, timer),

    /** @param {Uint8Array} into */
    random: (into) => void randomFillSync(ours(into)),

    /**
     * Undefined for data that is not what it should be.
     *
     * @param {string} encoding
     * @param {boolean} fatal
     * @param {boolean} ignoreBOM
     * @param {Uint8Array} data
     */
    decode: (encoding, fatal, ignoreBOM, data) => decoder(encoding, fatal, ignoreBOM).decode(ours(data)),

    /**
     * @param {string} text
     * @param {Uint8Array} into
     */
    encode: (text, into) => encoder.encodeInto(text, ours(into)).written,

    /** @param {string} line */
    log: (line) => void fs.writeSync(2, `${line}\n`),
  })
}

/**
 * @param {string} encoding
 * @param {boolean} fatal
 * @param {boolean} ignoreBOM
 */
function decoder(encoding, fatal, ignoreBOM) {
  const key = `${encoding} ${fatal} ${ignoreBOM}`
  const known = decoders.get(key) ?? new TextDecoder(encoding, { fatal, ignoreBOM })
  decoders.set(key, known)
  return known
}

/**
 * The same memory as an array of this realm: whatever the code in there did to its own arrays does not matter here.
 *
 * @param {Uint8Array} theirs
 */
function ours(theirs) {
  return new Uint8Array(bufferOf?.call(theirs), offsetOf?.call(theirs), lengthOf?.call(theirs))
}

/**
 * Where the host can be neither heard nor told there is no reason to go on.
 *
 * @template T
 * @param {() => T} work
 */
function orEnd(work) {
  try {
    return work()
  } catch {
    return endProcess()
  }
}

/**
 * @template {Record<string, (...args: any[]) => unknown>} T
 * @param {T} functions
 * @returns {T}
 */
function guarded(functions) {
  const entries = Object.entries(functions).map(([name, work]) => [name, withoutErrors(work)])
  return Object.fromEntries(entries)
}

/** @param {(...args: any[]) => unknown} work */
function withoutErrors(work) {
  return (/** @type {any[]} */ ...args) => {
    try {
      return work(...args)
    } catch {
      return undefined
    }
  }
}
