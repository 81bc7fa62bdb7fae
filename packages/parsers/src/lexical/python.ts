import { BACKSLASH, DOUBLE_QUOTE, HASH, NEWLINE, RETURN, SINGLE_QUOTE } from '../chars.ts'
import type { Scanner } from './scanner.ts'

const CODE = 0
const COMMENT = 1
/** After one quote: a string begins, or its second or third quote comes. */
const ONE_QUOTE = 2
/** After two: an empty string, or a third quote comes. */
const TWO_QUOTES = 3
const STRING = 4
const LONG_STRING = 5

/**
 * Python's strings and comments. Prefixes do not matter here: in a raw string too, a quote after a backslash does not end it,
 * and an f-string is read as one string.
 */
export class PythonScanner implements Scanner {
  #state = CODE
  #quote = 0
  /** How many of the three closing quotes have come. */
  #closing = 0
  #escaped = false

  get inside(): boolean {
    return this.#state !== CODE && this.#state !== TWO_QUOTES
  }

  scan(code: string): void {
    for (let at = 0; at < code.length; at++) this.#step(code.charCodeAt(at))
  }

  #step(char: number): void {
    if (this.#state === CODE) this.#code(char)
    else if (this.#state === STRING) this.#string(char)
    else if (this.#state === LONG_STRING) this.#longString(char)
    else if (this.#state === COMMENT) this.#comment(char)
    else this.#opening(char)
  }

  #code(char: number): void {
    if (char === HASH) {
      this.#state = COMMENT
    } else if (char === SINGLE_QUOTE || char === DOUBLE_QUOTE) {
      this.#state = ONE_QUOTE
      this.#quote = char
    }
  }

  #comment(char: number): void {
    if (char === NEWLINE) this.#state = CODE
  }

  #opening(char: number): void {
    if (char === this.#quote) {
      this.#closing = 0
      this.#state = this.#state === ONE_QUOTE ? TWO_QUOTES : LONG_STRING
    } else {
      this.#state = this.#state === ONE_QUOTE ? STRING : CODE
      this.#step(char)
    }
  }

  #string(char: number): void {
    if (this.#escaped)
      this.#escaped = char === RETURN // so that an escaped CRLF is escaped whole
    else if (char === BACKSLASH) this.#escaped = true
    else if (char === this.#quote || char === NEWLINE) this.#state = CODE // an unclosed one ends with its line, as an error
  }

  #longString(char: number): void {
    if (this.#escaped) {
      this.#escaped = false
    } else if (char === this.#quote) {
      this.#closing += 1
      if (this.#closing === 3) this.#state = CODE
    } else {
      this.#closing = 0
      this.#escaped = char === BACKSLASH
    }
  }
}
