import {
  BACKSLASH,
  BACKTICK,
  CLOSE_BRACE,
  CLOSE_PAREN,
  CLOSE_SQUARE,
  DASH,
  DOUBLE_QUOTE,
  HASH,
  isWordChar,
  NEWLINE,
  OPEN_BRACE,
  OPEN_PAREN,
  OPEN_SQUARE,
  SINGLE_QUOTE,
} from '../chars.ts'
import type { Scanner } from './scanner.ts'

const CODE = 0
const COMMENT = 1
const STRING = 2
/** Between backticks. */
const NAME = 3
/** After `r"`, before the bracket. */
const RAW_OPENING = 4
const RAW = 5
/** After the bracket that may close a raw string. */
const RAW_CLOSING = 6

const BRACKETS: Readonly<Record<number, number>> = {
  [OPEN_PAREN]: CLOSE_PAREN,
  [OPEN_SQUARE]: CLOSE_SQUARE,
  [OPEN_BRACE]: CLOSE_BRACE,
}

/** R's strings (which span lines), raw strings (`r"--(…)--"`), quoted names and comments. */
export class RScanner implements Scanner {
  #state = CODE
  #quote = 0
  #escaped = false
  /** Whether the character before, and the one before that, belong to a name: `r"` opens a raw string, `bar"` does not. */
  #isWord = false
  #wasWord = false
  #previous = 0
  #dashes = 0
  #closingDashes = 0
  #bracket = 0

  get inside(): boolean {
    return this.#state !== CODE
  }

  scan(code: string): void {
    for (let at = 0; at < code.length; at++) this.#step(code.charCodeAt(at))
  }

  #step(char: number): void {
    if (this.#state === CODE) this.#code(char)
    else if (this.#state === COMMENT) this.#comment(char)
    else if (this.#state === STRING || this.#state === NAME) this.#quoted(char)
    else this.#raw(char)
  }

  #code(char: number): void {
    if (char === DOUBLE_QUOTE || char === SINGLE_QUOTE) this.#openString(char)
    else if (char === BACKTICK) this.#open(NAME, char)
    else if (char === HASH) this.#state = COMMENT
    this.#wasWord = this.#isWord
    this.#isWord = isWordChar(char)
    this.#previous = char
  }

  #openString(quote: number): void {
    const isRaw = (this.#previous === 114 || this.#previous === 82) && !this.#wasWord // r or R
    this.#dashes = 0
    this.#open(isRaw ? RAW_OPENING : STRING, quote)
  }

  #open(state: number, quote: number): void {
    this.#state = state
    this.#quote = quote
    this.#escaped = false
  }

  #comment(char: number): void {
    if (char === NEWLINE) this.#state = CODE
  }

  #quoted(char: number): void {
    if (this.#escaped) this.#escaped = false
    else if (char === BACKSLASH) this.#escaped = true
    else if (char === this.#quote || (this.#state === NAME && char === NEWLINE)) this.#state = CODE
  }

  #raw(char: number): void {
    if (this.#state === RAW_OPENING) this.#rawOpening(char)
    else if (char === this.#bracket) this.#rawBracket()
    else if (this.#state === RAW_CLOSING) this.#rawClosing(char)
  }

  #rawOpening(char: number): void {
    const bracket = BRACKETS[char]
    if (char === DASH) {
      this.#dashes += 1
    } else if (bracket === undefined) {
      this.#state = STRING
      this.#step(char)
    } else {
      this.#bracket = bracket
      this.#state = RAW
    }
  }

  #rawBracket(): void {
    this.#state = RAW_CLOSING
    this.#closingDashes = 0
  }

  #rawClosing(char: number): void {
    if (char === DASH) this.#closingDashes += 1
    else this.#state = char === this.#quote && this.#closingDashes === this.#dashes ? CODE : RAW
  }
}
