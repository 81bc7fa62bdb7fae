import { isBlank, NEWLINE, RETURN } from './chars.ts'

/** Holds back what may belong to the delimiter that ends a block, until what follows shows that it does not. */
export interface Tail {
  /** Reads on, and returns what is code for certain. */
  push(code: string): string
  /** What is held back; it is held no longer. */
  take(): string
}

/** Holds back white space at the end: one line end, and what is blank after it (or, on one line, before the delimiter). */
export class BlankTail implements Tail {
  #held = ''

  push(code: string): string {
    let cut = code.length
    while (cut > 0 && isBlankOrReturn(code.charCodeAt(cut - 1))) cut -= 1
    if (cut === 0) return this.#hold(code)
    if (code.charCodeAt(cut - 1) !== NEWLINE) return this.#release(code, cut)
    if (cut === 1 && this.#held.endsWith('\r')) return this.#joinReturn(code)
    return this.#release(code, code.charCodeAt(cut - 2) === RETURN ? cut - 2 : cut - 1)
  }

  take(): string {
    const held = this.#held
    this.#held = ''
    return held
  }

  #hold(blank: string): string {
    this.#held += blank
    return ''
  }

  #release(code: string, cut: number): string {
    const certain = this.#held + code.slice(0, cut)
    this.#held = code.slice(cut)
    return certain
  }

  /** A CRLF that came in two pieces. */
  #joinReturn(code: string): string {
    const certain = this.#held.slice(0, -1)
    this.#held = `\r${code}`
    return certain
  }
}

function isBlankOrReturn(char: number): boolean {
  return isBlank(char) || char === RETURN
}
