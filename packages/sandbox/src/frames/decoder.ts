import { CodeActError } from '@codeact/spec'
import { type Frame, MAX_FRAME_BYTES, MAX_HEADER_BYTES } from './frame.ts'

const HEADER = /^([a-z][a-z-]{0,31}) (\d{1,15}) (\d{1,15}) ([\w-]{1,64}) (\d{1,10})$/
const NEWLINE = 10

type Header = Omit<Frame, 'body'> & { readonly length: number }

/**
 * Bytes in, frames out, however they are cut. Whoever writes the bytes is not trusted: a header that is malformed or asks
 * for more than `maxBytes` throws `PROTOCOL_ERROR` before anything is set aside for it.
 */
export class FrameDecoder {
  readonly #maxBytes: number
  #chunks: Uint8Array[] = []
  #buffered = 0
  #header: Header | undefined

  constructor(maxBytes: number = MAX_FRAME_BYTES) {
    this.#maxBytes = maxBytes
  }

  feed(chunk: Uint8Array): Frame[] {
    if (chunk.length > 0) {
      this.#chunks.push(chunk)
      this.#buffered += chunk.length
    }
    const frames: Frame[] = []
    for (let frame = this.#next(); frame !== undefined; frame = this.#next()) frames.push(frame)
    return frames
  }

  #next(): Frame | undefined {
    this.#header ??= this.#readHeader()
    if (this.#header === undefined || this.#buffered < this.#header.length) return undefined
    const { length, ...head } = this.#header
    this.#header = undefined
    return { ...head, body: this.#take(length) }
  }

  #readHeader(): Header | undefined {
    const newline = this.#indexOfNewline()
    if (newline < 0) {
      if (this.#buffered >= MAX_HEADER_BYTES) throw malformed('its header does not end')
      return undefined
    }
    const line = Buffer.from(this.#take(newline + 1)).toString('latin1', 0, newline)
    const match = HEADER.exec(line)
    if (match === null) throw malformed(`its header is ${JSON.stringify(line.slice(0, 80))}`)
    const [, type = '', seq, ack, id = '', length] = match
    if (Number(length) > this.#maxBytes) throw malformed(`it announces ${length} bytes, more than ${this.#maxBytes}`)
    return { type, seq: Number(seq), ack: Number(ack), id, length: Number(length) }
  }

  #indexOfNewline(): number {
    let offset = 0
    for (const chunk of this.#chunks) {
      const index = chunk.indexOf(NEWLINE)
      if (index >= 0) return offset + index < MAX_HEADER_BYTES ? offset + index : -1
      offset += chunk.length
      if (offset >= MAX_HEADER_BYTES) return -1
    }
    return -1
  }

  /** Removes and joins the first `length` bytes; each byte is copied at most once. */
  #take(length: number): Uint8Array {
    this.#buffered -= length
    const first = this.#chunks[0]
    if (first !== undefined && first.length >= length) {
      if (first.length === length) this.#chunks.shift()
      else this.#chunks[0] = first.subarray(length)
      return first.subarray(0, length)
    }
    return this.#join(length)
  }

  #join(length: number): Uint8Array {
    const joined = new Uint8Array(length)
    let filled = 0
    let used = 0
    while (filled < length) {
      const chunk = this.#chunks[used] as Uint8Array
      const part = chunk.subarray(0, length - filled)
      joined.set(part, filled)
      filled += part.length
      if (part.length < chunk.length) this.#chunks[used] = chunk.subarray(part.length)
      else used++
    }
    this.#chunks.splice(0, used)
    return joined
  }
}

function malformed(what: string): CodeActError {
  return new CodeActError('PROTOCOL_ERROR', `The sandbox sent a frame that cannot be read: ${what}.`)
}
