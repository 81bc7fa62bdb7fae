import {
  CLOSE_BRACE,
  CLOSE_PAREN,
  CLOSE_SQUARE,
  DASH,
  DOLLAR,
  DOT,
  isSpace,
  isWordChar,
  OPEN_BRACE,
  OPEN_PAREN,
  PLUS,
} from '../chars.ts'

// What was opened and not closed.
const PAREN = 0
/** The parenthesis of `if (…)` and the like: an operand may follow it. */
const HEAD = 1
const BRACE = 2
/** `${` in a template. */
const HOLE = 3

const HEADS = new Set(['if', 'while', 'for', 'with'])
const BEFORE_OPERAND = new Set(
  'return typeof case in of delete void throw new instanceof do else yield await'.split(' '),
)
const LONGEST = 'instanceof'.length

/** The token before, and the brackets around: enough to tell a regular expression from a division, and where a hole ends. */
export class JavaScriptTokens {
  readonly #open: number[] = []
  #word = ''
  #isInWord = false
  /** Whether the last token, when it is no word, ends an operand. */
  #isValue = false
  #previous = 0

  /** Whether what comes next begins an operand, so that a slash begins a regular expression. */
  get isOperandNext(): boolean {
    return this.#word === '' ? !this.#isValue : BEFORE_OPERAND.has(this.#word)
  }

  /** A string, a template or a regular expression has ended. */
  value(): void {
    this.#token(true)
  }

  openHole(): void {
    this.#open.push(HOLE)
    this.#token(false)
  }

  /** Whether a closing brace here ends a hole, which it then has. */
  closesHole(): boolean {
    const isHole = this.#open.at(-1) === HOLE
    if (isHole) this.#open.pop()
    return isHole
  }

  read(char: number): void {
    if (isWordChar(char) || char === DOLLAR) this.#readWord(char)
    else if (isSpace(char)) this.#isInWord = false
    else this.#readMark(char)
    this.#previous = char
  }

  #readWord(char: number): void {
    // `a.return` is a property: the dot stays in front, so that the word is no keyword.
    if (!this.#isInWord) this.#word = this.#previous === DOT ? '.' : ''
    if (this.#word.length <= LONGEST) this.#word += String.fromCharCode(char)
    this.#isInWord = true
  }

  #readMark(char: number): void {
    if (char === OPEN_PAREN) this.#openBracket(HEADS.has(this.#word) ? HEAD : PAREN)
    else if (char === OPEN_BRACE) this.#openBracket(BRACE)
    else if (char === CLOSE_PAREN) this.#closeParen()
    else if (char === CLOSE_BRACE) this.#closeBrace()
    else if (char === PLUS || char === DASH)
      this.#token(char === this.#previous) // `i++`
    else this.#token(char === CLOSE_SQUARE)
  }

  #openBracket(kind: number): void {
    this.#open.push(kind)
    this.#token(false)
  }

  #closeParen(): void {
    const kind = this.#open.at(-1)
    if (kind === PAREN || kind === HEAD) this.#open.pop()
    this.#token(kind !== HEAD)
  }

  #closeBrace(): void {
    if (this.#open.at(-1) === BRACE) this.#open.pop()
    this.#token(false)
  }

  #token(isValue: boolean): void {
    this.#word = ''
    this.#isInWord = false
    this.#isValue = isValue
  }
}
