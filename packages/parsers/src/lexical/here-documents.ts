import { BACKSLASH, DASH, DOUBLE_QUOTE, isBlank, isSpace, LESS, NEWLINE, RETURN, SINGLE_QUOTE, TAB } from '../chars.ts'

interface HereDocument {
  /** The line that ends it. */
  word: string
  /** `<<-`: tabs in front of that line do not count. */
  skipsTabs: boolean
}

const WORD_ENDS = new Set(';&|()<>'.split('').map((mark) => mark.charCodeAt(0)))

/** The here-documents that a line of bash announces (`<<EOF`, `<<-'EOF'`), and their bodies, which follow it in order. */
export class HereDocuments {
  readonly #awaited: HereDocument[] = []
  #next = 0
  #opening: HereDocument = { word: '', skipsTabs: false }
  #hasBegun = false
  #quote = 0
  #escaped = false
  /** How much of the last word the current line of a body matches; -1 when it does not. */
  #matched = 0

  get isAwaited(): boolean {
    return this.#next < this.#awaited.length
  }

  /** Whether the script may end here: the last body's last line is there, if not its line end. */
  get isOver(): boolean {
    const current = this.#awaited[this.#next]
    return this.#next === this.#awaited.length - 1 && this.#matched === current?.word.length
  }

  /** `<<` was read. */
  open(): void {
    this.#opening = { word: '', skipsTabs: false }
    this.#hasBegun = false
    this.#quote = 0
    this.#escaped = false
  }

  /** Reads on to the end of the word. `over`: it ended before `char`. `none`: it is no here-document, and `char` is read. */
  readWord(char: number): 'more' | 'over' | 'none' {
    if (!this.#hasBegun && char === LESS) return 'none' // `<<<`
    if (this.#escaped) this.#take(char)
    else if (this.#quote !== 0) this.#readQuoted(char)
    else if (isSpace(char) || WORD_ENDS.has(char)) return this.#readSpace(char)
    else this.#readPlain(char)
    return 'more'
  }

  #readSpace(char: number): 'more' | 'over' {
    if (!this.#hasBegun && isBlank(char)) return 'more'
    if (this.#hasBegun) this.#awaited.push(this.#opening)
    return 'over'
  }

  #readPlain(char: number): void {
    if (!this.#hasBegun && char === DASH && !this.#opening.skipsTabs) this.#opening.skipsTabs = true
    else if (char === SINGLE_QUOTE || char === DOUBLE_QUOTE) this.#startQuote(char)
    else if (char === BACKSLASH) this.#escaped = true
    else this.#take(char)
  }

  #startQuote(char: number): void {
    this.#quote = char
    this.#hasBegun = true
  }

  #readQuoted(char: number): void {
    if (char === this.#quote) this.#quote = 0
    else this.#take(char)
  }

  #take(char: number): void {
    this.#opening.word += String.fromCharCode(char)
    this.#hasBegun = true
    this.#escaped = false
  }

  /** Reads on through the bodies; false when the line end that closes the last one was read. */
  readBody(char: number): boolean {
    const current = this.#awaited[this.#next]
    if (current === undefined) return false
    if (char === NEWLINE) return this.#endLine(current)
    if (this.#matched < 0 || (this.#matched === 0 && char === TAB && current.skipsTabs)) return true
    if (char === RETURN && this.#matched === current.word.length) return true
    this.#matched = char === current.word.charCodeAt(this.#matched) ? this.#matched + 1 : -1
    return true
  }

  #endLine(current: HereDocument): boolean {
    if (this.#matched === current.word.length) this.#next += 1
    this.#matched = 0
    return this.isAwaited
  }
}
