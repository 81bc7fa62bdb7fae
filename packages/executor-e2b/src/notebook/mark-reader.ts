const LONGEST_NAME = 64

/** Takes the marks out of a stream of text, however it is cut, and tells each. */
export class MarkReader {
  readonly #begin: string
  readonly #onMark: (name: string) => void
  #rest = ''

  /** A mark is `\x02<secret> <name>\x03`. */
  constructor(secret: string, onMark: (name: string) => void) {
    this.#begin = `\x02${secret} `
    this.#onMark = onMark
  }

  /** The text without marks; what may be the beginning of one is kept back. Each mark is told before the text after it. */
  feed(text: string, tell: (text: string) => void): void {
    this.#rest += text
    for (let at = this.#next(); at >= 0; at = this.#next()) {
      const from = at + this.#begin.length
      const end = this.#rest.indexOf('\x03', from)
      if (end < 0) break
      if (at > 0) tell(this.#rest.slice(0, at))
      this.#onMark(this.#rest.slice(from, end))
      this.#rest = this.#rest.slice(end + 1)
    }
    const kept = this.#keptFrom()
    if (kept > 0) tell(this.#rest.slice(0, kept))
    this.#rest = this.#rest.slice(kept)
  }

  /** The stream has ended: nothing is a beginning any more. */
  end(tell: (text: string) => void): void {
    if (this.#rest !== '') tell(this.#rest)
    this.#rest = ''
  }

  #next(): number {
    return this.#rest.indexOf(this.#begin)
  }

  #keptFrom(): number {
    const whole = this.#next()
    if (whole >= 0) return this.#rest.length - whole > this.#begin.length + LONGEST_NAME ? this.#rest.length : whole
    const at = this.#rest.lastIndexOf('\x02')
    return at >= 0 && this.#begin.startsWith(this.#rest.slice(at)) ? at : this.#rest.length
  }
}
