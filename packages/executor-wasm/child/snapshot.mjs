import zlib from 'node:zlib'
import { readAll, SNAPSHOT, writeAll } from './descriptors.mjs'

const MAGIC = 'codeact-snapshot 1'
const HEADER_BYTES = 256

/**
 * Writes a snapshot: a header line with what it is of, its length and its checksum, then Python's memory.
 *
 * @param {string} key what it was made from; a snapshot of anything else is not taken
 * @param {Uint8Array} memory
 */
export function writeSnapshot(key, memory) {
  writeAll(SNAPSHOT, Buffer.from(header(key, memory)))
  writeAll(SNAPSHOT, memory)
}

/**
 * Reads a snapshot. Throws for one that is stale, cut short or damaged.
 *
 * @param {string} key
 * @param {(length: number) => Uint8Array} allocate
 */
export function readSnapshot(key, allocate) {
  const bytes = new Uint8Array(HEADER_BYTES)
  readAll(SNAPSHOT, bytes)
  const found = Buffer.from(bytes).toString('latin1')
  const memory = allocate(Number(found.split(' ')[3] ?? 0))
  readAll(SNAPSHOT, memory)
  if (found !== header(key, memory)) throw new Error('the snapshot is not the one that was written')
  return memory
}

/**
 * @param {string} key
 * @param {Uint8Array} memory
 */
function header(key, memory) {
  return `${MAGIC} ${key} ${memory.length} ${zlib.crc32(memory)}`.padEnd(HEADER_BYTES - 1).concat('\n')
}
