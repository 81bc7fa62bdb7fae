import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_PAREN,
  CLOSE_SQUARE,
  DOUBLE_QUOTE,
  HASH,
  isWordChar,
  NEWLINE,
  OPEN_BRACE,
  OPEN_PAREN,
  OPEN_SQUARE,
  RETURN,
  SINGLE_QUOTE,
} from '../chars.ts'
import type { Scanner } from './scanner.ts'

const CODE = 0
const COMMENT = 1
/** After one quote: a string begins, or its second or third quote comes. */
const ONE_QUOTE = 2
/** After two: an empty string, or a third quote comes. */
const TWO_QUOTES = 3
const STRING = 4
const LONG_STRING = 5
/** After `{` in an f-string: a second one makes it text, and anything else begins a replacement field. */
const BRACE = 6

/** An f-string around a replacement field. */
interface Field {
  readonly quote: number
  readonly isLong: boolean
  /** How many brackets are open in the field. */
  depth: number
}

/**
 * Python's strings and comments. Replacement fields of f-strings hold code, with strings of any quotes, as Python 3.12 reads
 * them; what older Pythons take reads the same. In a raw string too, a quote after a backslash does not end it.
 */
export class PythonScanner implements Scanner {
  readonly #fields: Field[] = []
  #state = CODE
  #quote = 0
  #isFormatted = false
  #isLong = false
  /** How many of the three closing quotes have come. */
  #closing = 0
  #escaped = false
  /** How long the name right before this place is, and its last two characters: a prefix, when a quote follows. */
  #wordLength = 0
  #last = 0
  #lastButOne = 0

  get inside(): boolean {
    return this.#fields.length > 0 || (this.#state !== CODE && this.#state !== TWO_QUOTES)
  }

  scan(code: string): void {
    for (let at = 0; at < code.length; at++) this.#step(code.charCodeAt(at))
  }

  #step(char: number): void {
    if (this.#state === CODE) this.#code(char)
    else if (this.#state === STRING) this.#string(char)
    else if (this.#state === LONG_STRING) this.#longString(char)
    else if (this.#state === COMMENT) this.#comment(char)
    else if (this.#state === BRACE) this.#brace(char)
    else this.#opening(char)
  }

  #code(char: number): void {
    if (isWordChar(char)) {
      this.#lastButOne = this.#last
      this.#last = char
      this.#wordLength += 1
      return
    }
    if (char === SINGLE_QUOTE || char === DOUBLE_QUOTE) this.#openString(char)
    else if (this.#fields.length > 0) this.#inField(char)
    else if (char === HASH) this.#state = COMMENT
    this.#wordLength = 0
  }

  #openString(quote: number): void {
    this.#state = ONE_QUOTE
    this.#quote = quote
    this.#isFormatted = this.#hasFormatPrefix()
  }

  /** `f`, `t`, `fr`, `rt` and so on, in any case. */
  #hasFormatPrefix(): boolean {
    if (this.#wordLength === 1) return isFormat(this.#last)
    if (this.#wordLength !== 2) return false
    return (isFormat(this.#last) && isRaw(this.#lastButOne)) || (isRaw(this.#last) && isFormat(this.#lastButOne))
  }

  #comment(char: number): void {
    if (char === NEWLINE) this.#state = CODE
  }

  #opening(char: number): void {
    if (char === this.#quote) {
      this.#closing = 0
      this.#isLong = this.#state === TWO_QUOTES
      this.#state = this.#state === ONE_QUOTE ? TWO_QUOTES : LONG_STRING
    } else {
      this.#isLong = false
      this.#state = this.#state === ONE_QUOTE ? STRING : CODE
      this.#step(char)
    }
  }

  #string(char: number): void {
    if (this.#escaped)
      this.#escaped = char === RETURN // so that an escaped CRLF is escaped whole
    else if (char === BACKSLASH) this.#escaped = true
    else if (char === this.#quote || char === NEWLINE)
      this.#state = CODE // an unclosed one ends with its line, as an error
    else if (char === OPEN_BRACE && this.#isFormatted) this.#state = BRACE
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
      if (char === OPEN_BRACE && this.#isFormatted) this.#state = BRACE
    }
  }

  #brace(char: number): void {
    this.#state = this.#isLong ? LONG_STRING : STRING
    if (char === OPEN_BRACE) return
    this.#fields.push({ quote: this.#quote, isLong: this.#isLong, depth: 0 })
    this.#state = CODE
    this.#wordLength = 0
    this.#code(char)
  }

  /** A hash opens no comment here: it belongs to a format, as in `{n:#x}`. */
  #inField(char: number): void {
    const field = this.#fields.at(-1)
    if (field === undefined) return
    if (char === NEWLINE) this.#endLine()
    else if (char === OPEN_PAREN || char === OPEN_SQUARE || char === OPEN_BRACE) field.depth += 1
    else if (char === CLOSE_BRACE && field.depth === 0) this.#closeField(field)
    else if (char === CLOSE_PAREN || char === CLOSE_SQUARE || char === CLOSE_BRACE)
      field.depth -= field.depth > 0 ? 1 : 0
  }

  #closeField({ quote, isLong }: Field): void {
    this.#fields.pop()
    this.#quote = quote
    this.#isLong = isLong
    this.#isFormatted = true
    this.#closing = 0
    this.#state = isLong ? LONG_STRING : STRING
  }

  /** An f-string in single quotes ends with its line, as an error: Python before 3.12 reads it so, and nobody means it. */
  #endLine(): void {
    while (this.#fields.at(-1)?.isLong === false) this.#fields.pop()
  }
}

function isFormat(char: number): boolean {
  const letter = char | 32
  return letter === 102 || letter === 116 // f, t
}

function isRaw(char: number): boolean {
  return (char | 32) === 114
}
