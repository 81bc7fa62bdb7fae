import {
  BACKSLASH,
  BACKTICK,
  CLOSE_BRACE,
  CLOSE_SQUARE,
  DOLLAR,
  DOUBLE_QUOTE,
  NEWLINE,
  OPEN_BRACE,
  OPEN_SQUARE,
  RETURN,
  SINGLE_QUOTE,
  SLASH,
  STAR,
} from '../chars.ts'
import { JavaScriptTokens } from './javascript-tokens.ts'
import type { Scanner } from './scanner.ts'

const CODE = 0
/** After a slash: a comment, a regular expression or a division. */
const AFTER_SLASH = 1
const LINE_COMMENT = 2
const BLOCK_COMMENT = 3
const BLOCK_COMMENT_STAR = 4
const STRING = 5
const TEMPLATE = 6
const TEMPLATE_DOLLAR = 7
/** After backticks in a template: one ends it. */
const TEMPLATE_TICKS = 8
const REGEX = 9
const REGEX_CLASS = 10

/** Strings, templates with code in them, comments and regular expressions of JavaScript and TypeScript. */
export class JavaScriptScanner implements Scanner {
  readonly #tokens = new JavaScriptTokens()
  #state = CODE
  #quote = 0
  #escaped = false
  #openTemplates = 0
  #ticks = 0

  get inside(): boolean {
    if (this.#state === TEMPLATE_TICKS && this.#ticks === 1) return this.#openTemplates > 1
    return this.#openTemplates > 0 || this.#state > AFTER_SLASH
  }

  scan(code: string): void {
    for (let at = 0; at < code.length; at++) this.#step(code.charCodeAt(at))
  }

  #step(char: number): void {
    if (this.#state === CODE) this.#code(char)
    else if (this.#state === STRING) this.#string(char)
    else if (this.#state === TEMPLATE || this.#state === TEMPLATE_DOLLAR) this.#template(char)
    else if (this.#state === TEMPLATE_TICKS) this.#templateTicks(char)
    else if (this.#state === AFTER_SLASH) this.#afterSlash(char)
    else if (this.#state === REGEX || this.#state === REGEX_CLASS) this.#regex(char)
    else this.#comment(char)
  }

  #code(char: number): void {
    if (char === SINGLE_QUOTE || char === DOUBLE_QUOTE) this.#openString(char)
    else if (char === BACKTICK) this.#openTemplate()
    else if (char === SLASH) this.#state = AFTER_SLASH
    else if (char === CLOSE_BRACE && this.#tokens.closesHole()) this.#state = TEMPLATE
    else this.#tokens.read(char)
  }

  #openString(quote: number): void {
    this.#state = STRING
    this.#quote = quote
  }

  #openTemplate(): void {
    this.#state = TEMPLATE
    this.#openTemplates += 1
  }

  #string(char: number): void {
    if (this.#escaped)
      this.#escaped = char === RETURN // so that an escaped CRLF is escaped whole
    else if (char === BACKSLASH) this.#escaped = true
    else if (char === this.#quote || char === NEWLINE) this.#closeValue() // an unclosed one ends with its line, as an error
  }

  #template(char: number): void {
    const isHole = this.#state === TEMPLATE_DOLLAR && char === OPEN_BRACE
    if (this.#escaped) {
      this.#escaped = false
    } else if (isHole) {
      this.#tokens.openHole()
      this.#state = CODE
    } else if (char === BACKTICK) {
      this.#state = TEMPLATE_TICKS
      this.#ticks = 1
    } else {
      this.#escaped = char === BACKSLASH
      this.#state = char === DOLLAR ? TEMPLATE_DOLLAR : TEMPLATE
    }
  }

  /**
   * Two backticks end a template and begin another. Three and more would do that without anything between, which is never
   * meant: it is a fence in a template of Markdown, and a slip of whoever did not escape it.
   */
  #templateTicks(char: number): void {
    if (char === BACKTICK) {
      this.#ticks += 1
    } else if (this.#ticks === 1) {
      this.#openTemplates -= 1
      this.#closeValue()
      this.#step(char)
    } else {
      this.#state = TEMPLATE
      this.#step(char)
    }
  }

  #afterSlash(char: number): void {
    if (char === SLASH) {
      this.#state = LINE_COMMENT
    } else if (char === STAR) {
      this.#state = BLOCK_COMMENT
    } else if (this.#tokens.isOperandNext) {
      this.#state = REGEX
      this.#regex(char)
    } else {
      this.#state = CODE
      this.#tokens.read(SLASH)
      this.#code(char)
    }
  }

  #regex(char: number): void {
    if (char === NEWLINE)
      this.#closeRegex() // it never spans lines, so this was a division
    else if (this.#escaped) this.#escaped = false
    else if (char === BACKSLASH) this.#escaped = true
    else if (char === OPEN_SQUARE) this.#state = REGEX_CLASS
    else if (char === CLOSE_SQUARE) this.#state = REGEX
    else if (char === SLASH && this.#state === REGEX) this.#closeRegex()
  }

  #closeRegex(): void {
    this.#escaped = false
    this.#closeValue()
  }

  #closeValue(): void {
    this.#state = CODE
    this.#tokens.value()
  }

  #comment(char: number): void {
    if (this.#state === LINE_COMMENT) {
      if (char === NEWLINE) this.#state = CODE
    } else if (this.#state === BLOCK_COMMENT_STAR && char === SLASH) {
      this.#state = CODE
    } else {
      this.#state = char === STAR ? BLOCK_COMMENT_STAR : BLOCK_COMMENT
    }
  }
}
