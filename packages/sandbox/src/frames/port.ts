import { FrameDecoder } from './decoder.ts'
import type { Frame, FrameInput } from './frame.ts'
import { Mark } from './mark.ts'

/**
 * One end of a stream of frames: numbers what goes out, acknowledges what came in. The adapter gives it a way to write
 * bytes, and feeds it the bytes that arrive.
 */
export class FramePort {
  readonly #write: (bytes: Uint8Array) => void
  readonly #receive: (frame: Frame) => void
  #decoder = new FrameDecoder()
  #succession: { readonly mark: Mark; readonly begin: () => void } | undefined
  #isBroken = false
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

  /**
   * Hands on each frame that the bytes complete. Throws `PROTOCOL_ERROR` for bytes that are no frames, and then takes nothing
   * more, unless another sender follows.
   */
  feed(bytes: Uint8Array): void {
    if (this.#succession === undefined) this.#decode(bytes)
    else this.#seek(this.#succession, bytes)
  }

  /** The sender has ended, and another begins with this mark. What was left unfinished before it is dropped; then `begin` is called. */
  succeed(mark: Uint8Array, begin: () => void): void {
    this.#succession = { mark: new Mark(mark), begin }
  }

  #seek({ mark, begin }: { readonly mark: Mark; readonly begin: () => void }, bytes: Uint8Array): void {
    const { before, after } = mark.seek(bytes)
    try {
      this.#decode(before)
    } catch {
      // Of one that has ended.
    }
    if (after === undefined) return
    this.#decoder = new FrameDecoder()
    this.#succession = undefined
    this.#isBroken = false
    this.#received = 0
    begin()
    this.#decode(after)
  }

  #decode(bytes: Uint8Array): void {
    if (this.#isBroken) return
    this.#isBroken = true
    for (const frame of this.#decoder.feed(bytes)) {
      this.#received = frame.seq
      this.#receive(frame)
    }
    this.#isBroken = false
  }
}

function bodyBytes(body: unknown): Uint8Array {
  if (body === undefined) return new Uint8Array()
  if (body instanceof Uint8Array) return body
  return Buffer.from(JSON.stringify(body), 'utf8')
}
