const MOST_CHUNKS = 1000

/**
 * Keeps the head and the tail of a stream of bytes up to a limit, in memory that does not grow with the stream, and hands on
 * the text of the head as it comes. Invalid UTF-8 becomes replacement characters; a character cut between two chunks does not.
 */
export class OutputBuffer {
  readonly #headLimit: number
  readonly #tailLimit: number
  #live: InstanceType<typeof TextDecoder> | undefined
  readonly #head: Uint8Array[] = []
  #headBytes = 0
  #tail: Uint8Array[] = []
  #tailBytes = 0
  #total = 0

  /** `limit`: bytes kept in all, half for the head and half for the tail. */
  constructor(limit: number) {
    this.#headLimit = Math.ceil(limit / 2)
    this.#tailLimit = Math.floor(limit / 2)
  }

  /** The text to show at once: that of the head only, so that a flood does not flood whoever watches. */
  write(chunk: Uint8Array): string {
    this.#total += chunk.length
    const room = this.#headLimit - this.#headBytes
    if (chunk.length > room) this.#keepTail(chunk.subarray(room))
    if (room <= 0) return ''
    const part = chunk.subarray(0, room)
    add(this.#head, part)
    this.#headBytes += part.length
    this.#live ??= new TextDecoder()
    return this.#live.decode(part, { stream: true })
  }

  /** The text of a character that was still incomplete. */
  end(): string {
    return this.#live?.decode() ?? ''
  }

  /** Bytes left out of the middle. */
  get dropped(): number {
    return this.#total - this.#headBytes - Math.min(this.#tailBytes, this.#tailLimit)
  }

  /** Head and tail, with a line between them that says how much is missing. */
  get text(): string {
    if (this.#total === 0) return ''
    const tail = joined(this.#tail).subarray(-this.#tailLimit || this.#tailBytes)
    if (this.dropped === 0) return new TextDecoder().decode(joined([...this.#head, tail]))
    const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)
    return `${decode(joined(this.#head))}\n[… ${this.dropped} bytes left out …]\n${decode(tail)}`
  }

  /** Chunks are dropped from the front once the rest alone is enough, and joined now and then so that they stay few. */
  #keepTail(chunk: Uint8Array): void {
    const part = chunk.length > this.#tailLimit ? chunk.subarray(chunk.length - this.#tailLimit) : chunk
    add(this.#tail, part)
    this.#tailBytes += part.length
    if (this.#tailBytes > 2 * this.#tailLimit + 65_536) {
      const kept = joined(this.#tail).slice(-this.#tailLimit || this.#tailBytes)
      this.#tail = [kept]
      this.#tailBytes = kept.length
    }
  }
}

/** Many small writes are joined now and then: each chunk costs far more memory than its bytes. */
function add(chunks: Uint8Array[], chunk: Uint8Array): void {
  chunks.push(chunk)
  if (chunks.length > MOST_CHUNKS) chunks.splice(0, chunks.length, Buffer.concat(chunks))
}

function joined(chunks: readonly Uint8Array[]): Uint8Array {
  return chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks)
}
