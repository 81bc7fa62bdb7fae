import { isBlank, isSpace, NEWLINE, RETURN } from './chars.ts'
import type { Fence } from './fence.ts'
import type { Tail } from './tail.ts'

const CODE = 0
const AFTER_RETURN = 1
/** In the blanks that begin a line. */
const INDENT = 2
const FENCE = 3
const AFTER_FENCE = 4

/** Holds back the fence that closes code inside a tag (`<execute>` around a whole fenced block), and the space around it. */
export class FenceTail implements Tail {
  readonly #fence: Fence
  #state = INDENT
  #run = 0
  #held = ''

  /** Begins at the start of a line. */
  constructor(fence: Fence) {
    this.#fence = fence
  }

  push(code: string): string {
    let certain = ''
    for (let at = 0; at < code.length; at++) {
      const char = code.charCodeAt(at)
      if (!this.#goesOn(char)) {
        certain += this.take()
        this.#begin(char)
      }
      if (this.#state === CODE) certain += code.charAt(at)
      else this.#held += code.charAt(at)
    }
    return certain
  }

  take(): string {
    const held = this.#held
    this.#held = ''
    return held
  }

  #begin(char: number): void {
    if (char === NEWLINE) this.#state = INDENT
    else this.#state = char === RETURN ? AFTER_RETURN : CODE
  }

  /** Whether, with `char`, what is held can still be the end. */
  #goesOn(char: number): boolean {
    if (this.#state === AFTER_RETURN) return this.#become(INDENT, char === NEWLINE)
    if (this.#state === INDENT) return isBlank(char) || this.#opensFence(char)
    if (this.#state === FENCE) return this.#isLonger(char) || this.#endsFence(char)
    return this.#state === AFTER_FENCE && isSpace(char)
  }

  #opensFence(char: number): boolean {
    this.#run = 1
    return this.#become(FENCE, char === this.#fence.char)
  }

  #isLonger(char: number): boolean {
    if (char === this.#fence.char) this.#run += 1
    return char === this.#fence.char
  }

  #endsFence(char: number): boolean {
    return this.#become(AFTER_FENCE, isSpace(char) && this.#run >= this.#fence.length)
  }

  #become(state: number, happens: boolean): boolean {
    if (happens) this.#state = state
    return happens
  }
}
