import { FrameDecoder } from './decoder.ts'
import type { Frame, FrameInput } from './frame.ts'

/**
 * One end of a stream of frames: numbers what goes out, acknowledges what came in. The adapter gives it a way to write
 * bytes, and feeds it the bytes that arrive.
 */
export class FramePort {
  readonly #write: (bytes: Uint8Array) => void
  readonly #receive: (frame: Frame) => void
  readonly #decoder = new FrameDecoder()
  #sent = 0
  #received = 0

  constructor(write: (bytes: Uint8Array) => void, receive: (frame: Frame) => void) {
    this.#write = write
    this.#receive = receive
  }

  send({ type, id = '-', body }: FrameInput): void {
    const bytes = bodyBytes(body)
    const header = Buffer.from(`${type} ${++this.#sent} ${this.#received} ${id} ${bytes.length}\n`, 'latin1')
    this.#write(Buffer.concat([header, bytes]))
  }

  /** Hands on each frame that the bytes complete. Throws `PROTOCOL_ERROR` for bytes that are no frames. */
  feed(bytes: Uint8Array): void {
    for (const frame of this.#decoder.feed(bytes)) {
      this.#received = frame.seq
      this.#receive(frame)
    }
  }
}

function bodyBytes(body: unknown): Uint8Array {
  if (body === undefined) return new Uint8Array()
  if (body instanceof Uint8Array) return body
  return Buffer.from(JSON.stringify(body), 'utf8')
}
