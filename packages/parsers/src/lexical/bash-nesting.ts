import { DOLLAR, OPEN_PAREN } from '../chars.ts'

const QUOTE = 0
/** `(…)` and `$(…)`: commands. */
const COMMAND = 1
/** `((…))` and `$((…))`, and parentheses in them. */
const ARITHMETIC = 2
/** `${…}`. */
const PARAMETER = 3
const BACKTICKS = 4

/** What is open around a place in a bash script: double quotes, and what can nest in and around them. */
export class BashNesting {
  readonly #open: number[] = []
  #quotes = 0
  #backticks = 0

  /** Within double quotes, at any depth. */
  get isQuoted(): boolean {
    return this.#quotes > 0
  }

  /** Where commands are written, so comments and here-documents too. */
  get isCommand(): boolean {
    const top = this.#open.at(-1)
    return top === undefined || top === COMMAND || top === BACKTICKS
  }

  /** Where a single quote quotes: not directly within double quotes. */
  get hasSingleQuotes(): boolean {
    return this.isCommand || this.#quotes === 0
  }

  doubleQuote(): void {
    if (this.#open.at(-1) === QUOTE) this.#pop()
    else this.#push(QUOTE)
  }

  backtick(): void {
    if (this.#backticks === 0) this.#push(BACKTICKS)
    else while (this.#pop() !== BACKTICKS);
  }

  openParen(previous: number): void {
    const top = this.#open.at(-1)
    const isSecond = previous === OPEN_PAREN && top === COMMAND
    if (isSecond) this.#open[this.#open.length - 1] = ARITHMETIC
    if (isSecond || top === ARITHMETIC) this.#push(ARITHMETIC)
    else if (previous === DOLLAR || this.isCommand) this.#push(COMMAND)
  }

  closeParen(): void {
    const top = this.#open.at(-1)
    if (top === COMMAND || top === ARITHMETIC) this.#pop()
  }

  openParameter(): void {
    this.#push(PARAMETER)
  }

  closeParameter(): void {
    if (this.#open.at(-1) === PARAMETER) this.#pop()
  }

  #push(kind: number): void {
    this.#open.push(kind)
    if (kind === QUOTE) this.#quotes += 1
    if (kind === BACKTICKS) this.#backticks += 1
  }

  #pop(): number | undefined {
    const kind = this.#open.pop()
    if (kind === QUOTE) this.#quotes -= 1
    if (kind === BACKTICKS) this.#backticks -= 1
    return kind
  }
}
