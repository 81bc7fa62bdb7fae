/** How many times the length of a reply may be read again before doubts are no longer allowed. */
const MOST_AGAIN = 8

/** Reads `text` from `at`, and returns how far. */
export type Read = (text: string, at: number) => number

/** A reply as it comes in, of which parts may be read again. Keeps that linear. */
export class Input {
  /** How many characters were read, each counted again when it was read again. */
  work = 0
  readonly #chunks: { text: string; at: number }[] = []
  #from = 0
  /** How far into the reply this is. */
  #position = 0
  #again = 0

  push(text: string): void {
    this.#chunks.push({ text, at: 0 })
  }

  /** Reads on; false when there is nothing left to read. */
  advance(read: Read): boolean {
    const chunk = this.#current()
    if (chunk === undefined) return false
    this.#from = chunk.at
    chunk.at = read(chunk.text, chunk.at)
    this.#position += chunk.at - this.#from
    this.work += chunk.at - this.#from
    return true
  }

  /** What the last `advance` read. */
  get last(): string {
    const chunk = this.#chunks.at(-1)
    return chunk === undefined ? '' : chunk.text.slice(this.#from, chunk.at)
  }

  /** Goes back: `text`, which was the last to be read, is the next. */
  again(text: string): void {
    this.push(text)
    this.#position -= text.length
    this.#again += text.length
  }

  /** Whether so little was read again that a doubt, which may cost reading the rest again, is worth it. */
  get mayDoubt(): boolean {
    return this.#again <= MOST_AGAIN * this.#position
  }

  #current(): { text: string; at: number } | undefined {
    for (;;) {
      const chunk = this.#chunks.at(-1)
      if (chunk === undefined || chunk.at < chunk.text.length) return chunk
      this.#chunks.pop()
    }
  }
}
