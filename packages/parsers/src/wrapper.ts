import { isSpace } from './chars.ts'
import { FenceLine, isFenceChar, type Verdict } from './fence.ts'

/**
 * Looks at the very beginning of a block for a fence that wraps the whole of its code, as some models write inside tags.
 * Code that begins with a fence is code in no language.
 */
export class Wrapper {
  readonly #line = new FenceLine()
  #verdict: Verdict = 'maybe'
  #hasBegun = false
  #held = ''

  /** The fence, once it is known that there is one. */
  get fence(): FenceLine | undefined {
    return this.#verdict === 'yes' ? this.#line : undefined
  }

  get isSettled(): boolean {
    return this.#verdict !== 'maybe'
  }

  /** Reads on, and returns what is not part of such a fence's line. */
  push(code: string): string {
    let at = 0
    while (!this.isSettled && at < code.length) this.#verdict = this.#read(code.charCodeAt(at++))
    this.#held += code.slice(0, at)
    if (!this.isSettled) return ''
    return (this.fence === undefined ? this.take() : '') + code.slice(at)
  }

  /** What is held back; it is held no longer. */
  take(): string {
    const held = this.#held
    this.#held = ''
    return held
  }

  #read(char: number): Verdict {
    if (this.#hasBegun) return this.#line.read(char)
    if (isSpace(char)) return 'maybe'
    this.#hasBegun = true
    this.#line.begin(char)
    return isFenceChar(char) ? 'maybe' : 'no'
  }
}
