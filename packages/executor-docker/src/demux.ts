import { CodeActError } from '@codeact/spec'

/** Where the two streams of a container go. */
export interface Outputs {
  stdout(bytes: Uint8Array): void
  stderr(bytes: Uint8Array): void
}

const HEADER_BYTES = 8

/**
 * Takes the stream of an attached container apart: a header (1 or 2, three zeros, the length as four bytes) before each piece.
 * What belongs to a piece is handed on as it comes, so nothing but a header is ever kept.
 */
export class Demultiplexer {
  readonly #outputs: Outputs
  readonly #header = new Uint8Array(HEADER_BYTES)
  #headerLength = 0
  #missing = 0

  constructor(outputs: Outputs) {
    this.#outputs = outputs
  }

  /** The next bytes, cut anywhere; throws `PROTOCOL_ERROR` where they are not what a container sends. */
  feed(bytes: Uint8Array): void {
    let at = 0
    while (at < bytes.length) at = this.#missing > 0 ? this.#payload(bytes, at) : this.#headerByte(bytes, at)
  }

  #payload(bytes: Uint8Array, at: number): number {
    const piece = bytes.subarray(at, at + this.#missing)
    this.#missing -= piece.length
    if (this.#header[0] === 1) this.#outputs.stdout(piece)
    else this.#outputs.stderr(piece)
    return at + piece.length
  }

  #headerByte(bytes: Uint8Array, at: number): number {
    this.#header[this.#headerLength++] = bytes[at] as number
    if (this.#headerLength === HEADER_BYTES) this.#startPiece()
    return at + 1
  }

  #startPiece(): void {
    const [type, ...zeros] = this.#header.subarray(0, 4)
    if ((type !== 1 && type !== 2) || zeros.some((byte) => byte !== 0)) {
      const header = [...this.#header].join(' ')
      throw new CodeActError('PROTOCOL_ERROR', `The container's stream holds a piece of an unknown kind: ${header}.`)
    }
    this.#headerLength = 0
    this.#missing = new DataView(this.#header.buffer).getUint32(4)
  }
}
