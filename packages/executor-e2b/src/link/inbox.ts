import { inflateSync } from 'node:zlib'
import { MAX_FRAME_BYTES } from '@codeact/sandbox'
import type { Line } from './line.ts'

/** The code may have tampered with it: nothing is taken on trust. */
export const MOST_BYTES = 2 * MAX_FRAME_BYTES

export interface InboxOptions {
  readonly receive: (bytes: Uint8Array) => void
  readonly fetch: (file: string) => Promise<Uint8Array>
  readonly giveUp: (failure: unknown) => void
}

interface Arrival {
  readonly seq: number
  /** Undefined while it is fetched. */
  bytes: Uint8Array | undefined
}

/** What comes from the far end: in order, each once. What is in a file is fetched meanwhile. */
export class Inbox {
  /** The last message that was handed on. */
  received = 0
  /** Bytes that were handed on since `acknowledged()`. */
  unacknowledgedBytes = 0
  readonly #receive: (bytes: Uint8Array) => void
  readonly #fetch: (file: string) => Promise<Uint8Array>
  readonly #giveUp: (failure: unknown) => void
  readonly #queue: Arrival[] = []

  /** `giveUp` is called where something cannot be fetched, or is not what the far end would send. */
  constructor({ receive, fetch, giveUp }: InboxOptions) {
    this.#receive = receive
    this.#fetch = fetch
    this.#giveUp = giveUp
  }

  get isEmpty(): boolean {
    return this.#queue.length === 0
  }

  take({ seq, kind, data }: Line): void {
    if (seq !== (this.#queue.at(-1)?.seq ?? this.received) + 1) return
    const arrival: Arrival = { seq, bytes: undefined }
    this.#queue.push(arrival)
    const isDeflated = kind === 'z' || kind === 'g'
    if (kind === 'd' || kind === 'z') this.#fill(arrival, Buffer.from(data, 'base64'), isDeflated)
    else this.#fetch(data).then((bytes) => this.#fill(arrival, bytes, isDeflated), this.#giveUp)
  }

  acknowledged(): void {
    this.unacknowledgedBytes = 0
  }

  #fill(arrival: Arrival, bytes: Uint8Array, isDeflated: boolean): void {
    try {
      arrival.bytes = isDeflated ? inflate(bytes) : bytes
      this.#deliver()
    } catch (error) {
      this.#giveUp(error)
    }
  }

  #deliver(): void {
    for (let next = this.#queue[0]; next?.bytes !== undefined; next = this.#queue[0]) {
      this.#queue.shift()
      this.received = next.seq
      this.unacknowledgedBytes += next.bytes.length
      this.#receive(next.bytes)
    }
  }
}

/** Into one piece of memory of the length that is announced. */
function inflate(bytes: Uint8Array): Uint8Array {
  const packed = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const length = packed.readUInt32BE(0)
  if (length > MOST_BYTES) throw new RangeError(`a message of ${length} bytes`)
  return inflateSync(packed.subarray(4), { chunkSize: length + 64, maxOutputLength: Math.max(length, 1) })
}
