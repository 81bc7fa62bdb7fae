import { NEWLINE } from './chars.ts'
import type { Tail } from './tail.ts'

/** What may close code, read character by character: `on`, it may still be that; `anew`, it may begin here; `code`, neither. */
export interface Closing {
  read(char: number): 'on' | 'anew' | 'code'
}

/** Holds back what closes the code, and the space around it. */
export class ClosingTail implements Tail {
  readonly #closing: Closing
  #held = ''

  /** Begins at the start of a line. */
  constructor(closing: Closing) {
    this.#closing = closing
  }

  push(code: string): string {
    let certain = ''
    for (let at = 0; at < code.length; at++) {
      const char = code.charCodeAt(at)
      const next = this.#closing.read(char)
      if (next !== 'on') certain += this.#takeBefore(char)
      if (next === 'code') certain += code.charAt(at)
      else this.#held += code.charAt(at)
    }
    return certain
  }

  take(): string {
    const held = this.#held
    this.#held = ''
    return held
  }

  /** A CRLF is held whole. */
  #takeBefore(char: number): string {
    const held = this.take()
    if (char !== NEWLINE || !held.endsWith('\r')) return held
    this.#held = '\r'
    return held.slice(0, -1)
  }
}
