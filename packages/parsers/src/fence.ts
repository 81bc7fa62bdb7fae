import { BACKTICK, NEWLINE, TILDE } from './chars.ts'
import { knownLanguage } from './languages.ts'

/** A run of backticks or tildes that opens a block. */
export interface Fence {
  /** The code of the character that it is made of. */
  readonly char: number
  readonly length: number
}

/** `maybe`: read on. `yes`: the whole line is read, and it is a fence line. */
export type Verdict = 'maybe' | 'no' | 'yes'

const SHORTEST = 3

export function isFenceChar(char: number): boolean {
  return char === BACKTICK || char === TILDE
}

/** Reads a line from a fence's first character on: the run, then what stands behind it. */
export class FenceLine implements Fence {
  char = 0
  length = 0
  #info = ''
  #isInRun = false

  begin(char: number): void {
    this.char = char
    this.length = 1
    this.#info = ''
    this.#isInRun = true
  }

  /** What stands behind the run, without white space around it. */
  get info(): string {
    return this.#info.trim()
  }

  read(char: number): Verdict {
    if (this.#isInRun && char === this.char) {
      this.length += 1
      return 'maybe'
    }
    this.#isInRun = false
    if (this.length < SHORTEST) return 'no'
    if (char === NEWLINE) return 'yes'
    if (char === BACKTICK && this.char === BACKTICK) return 'no' // code within a line, as in ```x```
    this.#info += String.fromCharCode(char)
    return 'maybe'
  }

  /** Whether the line, as far as it is read, closes a block that `fence` opened. */
  closes(fence: Fence): boolean {
    return this.char === fence.char && this.length >= fence.length && this.info === ''
  }

  /** Whether the line is only the beginning of one that does. */
  beginsToClose(fence: Fence): boolean {
    return this.#isInRun && this.char === fence.char && this.length < fence.length
  }
}

/** The language that an info string names in its first word: `python title="x"`, `{.python}`, `{r, echo=FALSE}`. */
export function languageOfInfo(info: string): string | undefined {
  const word = /^(?:\{\s*\.?)?([^\s,{}]+)/.exec(info)?.[1]
  return word === undefined ? undefined : knownLanguage(word)
}
