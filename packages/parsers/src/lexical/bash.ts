import {
  BACKSLASH,
  BACKTICK,
  CLOSE_BRACE,
  CLOSE_PAREN,
  DOLLAR,
  DOUBLE_QUOTE,
  HASH,
  isSpace,
  LESS,
  NEWLINE,
  OPEN_BRACE,
  OPEN_PAREN,
  SINGLE_QUOTE,
} from '../chars.ts'
import { BashNesting } from './bash-nesting.ts'
import { HereDocuments } from './here-documents.ts'
import type { Scanner } from './scanner.ts'

const CODE = 0
const COMMENT = 1
const SINGLE = 2
/** `$'…'`, in which a backslash escapes. */
const ANSI = 3
/** After `<<`, up to the end of the word that will end the here-document. */
const HERE_WORD = 4
const HERE_BODY = 5

/** What `previous` is after an escaped character: no mark of any kind. */
const ESCAPED = 0
/** A comment begins only where a word could: after one of these, or white space. */
const WORD_BREAKS = new Set(';&|()`'.split('').map((mark) => mark.charCodeAt(0)))

/** The quotes, substitutions, here-documents and comments of bash. */
export class BashScanner implements Scanner {
  readonly #nesting = new BashNesting()
  readonly #here = new HereDocuments()
  #state = CODE
  #escaped = false
  #previous = NEWLINE

  get inside(): boolean {
    if (this.#nesting.isQuoted) return true
    if (this.#state === HERE_BODY) return !this.#here.isOver
    return this.#state === COMMENT || this.#state === SINGLE || this.#state === ANSI
  }

  scan(code: string): void {
    for (let at = 0; at < code.length; at++) this.#step(code.charCodeAt(at))
  }

  #step(char: number): void {
    if (this.#state === HERE_BODY) this.#hereBody(char)
    else if (this.#state === HERE_WORD) this.#hereWord(char)
    else if (this.#state === COMMENT) this.#comment(char)
    else if (this.#escaped) this.#skip()
    else if (this.#state === CODE) this.#code(char)
    else this.#singleQuoted(char)
  }

  #skip(): void {
    this.#escaped = false
    this.#previous = ESCAPED
  }

  #code(char: number): void {
    if (char === BACKSLASH) this.#escaped = true
    else if (char === NEWLINE) this.#endLine()
    else if (char === SINGLE_QUOTE) this.#singleQuote()
    else if (char === HASH) this.#hash()
    else if (char === LESS) this.#less()
    else this.#bracket(char)
    this.#previous = char === DOLLAR && this.#previous === DOLLAR ? ESCAPED : char // `$$` opens nothing
  }

  #bracket(char: number): void {
    if (char === DOUBLE_QUOTE) this.#nesting.doubleQuote()
    else if (char === BACKTICK) this.#nesting.backtick()
    else if (char === OPEN_PAREN) this.#nesting.openParen(this.#previous)
    else if (char === CLOSE_PAREN) this.#nesting.closeParen()
    else if (char === OPEN_BRACE && this.#previous === DOLLAR) this.#nesting.openParameter()
    else if (char === CLOSE_BRACE) this.#nesting.closeParameter()
  }

  #singleQuote(): void {
    if (!this.#nesting.hasSingleQuotes) return
    this.#state = this.#previous === DOLLAR ? ANSI : SINGLE
  }

  #singleQuoted(char: number): void {
    if (char === BACKSLASH && this.#state === ANSI) this.#escaped = true
    else if (char === SINGLE_QUOTE) this.#state = CODE
    this.#previous = char
  }

  #hash(): void {
    const isWordStart = isSpace(this.#previous) || WORD_BREAKS.has(this.#previous)
    if (isWordStart && this.#nesting.isCommand) this.#state = COMMENT
  }

  #comment(char: number): void {
    if (char !== NEWLINE) return
    this.#state = CODE
    this.#code(char)
  }

  #less(): void {
    if (this.#previous !== LESS || !this.#nesting.isCommand) return
    this.#state = HERE_WORD
    this.#here.open()
  }

  #hereWord(char: number): void {
    const next = this.#here.readWord(char)
    if (next === 'more') return
    this.#state = CODE
    this.#previous = ESCAPED
    if (next === 'over') this.#code(char)
  }

  #endLine(): void {
    if (this.#nesting.isCommand && this.#here.isAwaited) this.#state = HERE_BODY
  }

  #hereBody(char: number): void {
    if (this.#here.readBody(char)) return
    this.#state = CODE
    this.#previous = NEWLINE
  }
}
