import type { Flow } from './flow.ts'

/** Prose: words are kept whole, lines are no longer than `width`; blank lines in front and at the end are left out. */
export class Prose implements Flow {
  readonly #indent: string
  readonly #first: string
  readonly #width: number
  #column = 0
  #word = ''
  #spaces = ''
  #breaks = 0
  #hasBegun = false
  /** How far the line that the model began is indented: where it is broken, it goes on below its beginning. */
  #hang = ''

  /** @param first in place of the indent of the first line */
  constructor(indent: string, width: number, first = indent) {
    this.#indent = indent
    this.#first = first
    this.#width = width
  }

  push(text: string): string {
    let out = ''
    for (const character of text) {
      if (character === '\n') out += this.#flush() + this.#breakLine()
      else if (character === ' ' || character === '\t') out += this.#flush() + this.#space()
      else this.#word += character
    }
    return out
  }

  end(): string {
    return this.#flush()
  }

  #breakLine(): string {
    this.#breaks += 1
    this.#spaces = ''
    return ''
  }

  #space(): string {
    this.#spaces += ' '
    return ''
  }

  #flush(): string {
    if (this.#word === '') return ''
    const out = this.#lead() + this.#word
    this.#column += [...this.#word].length
    this.#word = ''
    this.#spaces = ''
    return out
  }

  /** What comes between the last word and this one. */
  #lead(): string {
    const breaks = this.#breaks
    this.#breaks = 0
    if (!this.#hasBegun) {
      this.#hasBegun = true
      return this.#startLine(this.#first, '')
    }
    if (breaks > 0) {
      this.#hang = this.#spaces
      return '\n'.repeat(breaks) + this.#startLine(this.#indent, this.#hang)
    }
    const fits = this.#column + this.#spaces.length + [...this.#word].length <= this.#width
    if (!fits) return `\n${this.#startLine(this.#indent, this.#hang)}`
    this.#column += this.#spaces.length
    return this.#spaces
  }

  #startLine(indent: string, spaces: string): string {
    this.#column = indent.length + spaces.length
    return indent + spaces
  }
}

/** A whole text as prose. */
export function prose(text: string, indent: string, width: number): string {
  const flow = new Prose(indent, width)
  return flow.push(text) + flow.end()
}
