import type { Flow } from './flow.ts'

/** Lines as they are, behind a mark: code and output. A line that is too long goes on below. Blank lines around are left out. */
export class Marked implements Flow {
  readonly #first: string
  readonly #rest: string
  readonly #room: number
  #column = 0
  #breaks = 0
  #hasBegun = false

  /**
   * @param first the mark of the first line
   * @param rest that of the others, as wide
   * @param room characters behind the mark; `Infinity` to break no line
   */
  constructor(first: string, rest: string, room: number) {
    this.#first = first
    this.#rest = rest
    this.#room = room
  }

  push(text: string): string {
    let out = ''
    for (const character of text.replaceAll('\t', '    ')) {
      if (character === '\n') {
        this.#breaks += 1
      } else {
        out += this.#lead() + character
        this.#column += 1
      }
    }
    return out
  }

  end(): string {
    return ''
  }

  /** What comes in front of the next character. */
  #lead(): string {
    const breaks = this.#hasBegun ? this.#breaks : 0
    const isFull = this.#column >= this.#room
    this.#breaks = 0
    if (this.#hasBegun && breaks === 0 && !isFull) return ''
    this.#column = 0
    if (!this.#hasBegun) {
      this.#hasBegun = true
      return this.#first
    }
    return `${`\n${this.#rest.trimEnd()}`.repeat(Math.max(0, breaks - 1))}\n${this.#rest}`
  }
}
