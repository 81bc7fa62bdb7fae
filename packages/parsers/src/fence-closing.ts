import { isBlank, isSpace, NEWLINE, RETURN } from './chars.ts'
import type { Closing } from './closing-tail.ts'
import type { Fence } from './fence.ts'

const CODE = 0
const AFTER_RETURN = 1
/** In the blanks that begin a line. */
const INDENT = 2
const FENCE = 3
const AFTER_FENCE = 4

/** The fence that closes code inside a tag: `<execute>` around a whole fenced block. */
export class FenceClosing implements Closing {
  readonly #fence: Fence
  #state = INDENT
  #run = 0

  constructor(fence: Fence) {
    this.#fence = fence
  }

  read(char: number): 'on' | 'anew' | 'code' {
    if (this.#goesOn(char)) return 'on'
    if (char === NEWLINE) this.#state = INDENT
    else this.#state = char === RETURN ? AFTER_RETURN : CODE
    return this.#state === CODE ? 'code' : 'anew'
  }

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
