import { FRAMES_OUT, writeAll } from './descriptors.mjs'

const MOST_BYTES = 1024 * 1024
const LONGEST_WAIT_MS = 5
const NEWLINE = 10

// Frames come from two places, Python's kernel and the devices behind its standard streams. Here they become one stream,
// so this is where they are counted.
let sent = 0
let acknowledged = '0'

/** @typedef {'stdout' | 'stderr'} Stream */

/** @typedef {{ reason: 'exit' | 'signal' | 'memory', detail: string }} End how the process ends */

/** @type {Stream} The stream that `pieces` were written to. */
let stream = 'stdout'
/** @type {Uint8Array[]} What was written and not sent yet. */
let pieces = []
let sentAt = 0

/**
 * Passes on a whole frame of the kernel, with its number in the one stream.
 *
 * @param {Uint8Array} frame
 */
export function sendFrame(frame) {
  flushOutput()
  const end = frame.indexOf(NEWLINE)
  const [type = '', , ack = acknowledged, id = '-'] = Buffer.from(frame.subarray(0, end)).toString('latin1').split(' ')
  acknowledged = ack
  send(type, id, frame.subarray(end + 1))
}

/**
 * Sends what was written to a standard stream. `print` writes a line in many pieces; those that come close together wait for
 * the line's end, or until `flushOutput` is called, which happens soon.
 *
 * @param {Stream} to
 * @param {Uint8Array} bytes
 */
export function sendOutput(to, bytes) {
  if (to !== stream) flushOutput()
  stream = to
  pieces.push(bytes.slice())
  if (bytes.at(-1) === NEWLINE || bytes.length >= MOST_BYTES || isOutputDue()) flushOutput()
}

/** Whether there is output that has waited long enough. */
export function isOutputDue() {
  return pieces.length > 0 && performance.now() - sentAt > LONGEST_WAIT_MS
}

export function flushOutput() {
  if (pieces.length === 0) return
  const bytes = Buffer.concat(pieces)
  pieces = []
  for (let start = 0; start < bytes.length; start += MOST_BYTES) {
    send(stream, '-', bytes.subarray(start, start + MOST_BYTES))
  }
  sentAt = performance.now()
}

/**
 * The last frame: how this process ends. It is said here, because the process then kills itself (see `end-process.mjs`).
 *
 * @param {End} end
 */
export function sendEnd(end) {
  flushOutput()
  send('end', '-', Buffer.from(JSON.stringify(end)))
}

/**
 * @param {string} type
 * @param {string} id
 * @param {Uint8Array} body
 */
function send(type, id, body) {
  const header = Buffer.from(`${type} ${++sent} ${acknowledged} ${id} ${body.length}\n`, 'latin1')
  writeAll(FRAMES_OUT, Buffer.concat([header, body]))
}
