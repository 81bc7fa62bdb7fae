/** Bytes that come in chunks of any size, taken in pieces of the size that is wanted. */
export class ByteReader {
  readonly #chunks: AsyncIterator<Uint8Array>
  #rest: Uint8Array = new Uint8Array()

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.asyncIterator]()
  }

  /** What is there, up to `size` bytes; nothing only at the end. */
  async some(size: number): Promise<Uint8Array> {
    while (this.#rest.length === 0) {
      const next = await this.#chunks.next()
      if (next.done) return this.#rest
      this.#rest = next.value
    }
    const piece = this.#rest.subarray(0, size)
    this.#rest = this.#rest.subarray(size)
    return piece
  }

  /** Exactly `size` bytes; fewer only at the end. */
  async take(size: number): Promise<Uint8Array> {
    const pieces: Uint8Array[] = []
    for (let left = size; left > 0; ) {
      const piece = await this.some(left)
      if (piece.length === 0) break
      pieces.push(piece)
      left -= piece.length
    }
    return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces)
  }

  /** Lets go of where the bytes come from, which need not have ended. */
  async close(): Promise<void> {
    await this.#chunks.return?.()
  }
}
