import { GREATER, isSpace, LESS, NEWLINE, RETURN } from './chars.ts'
import type { Tail } from './tail.ts'

const CODE = 0
const SPACE = 1
/** In `</execute`. */
const NAME = 2
/** Behind the name, before `>`. */
const REST = 3
const AFTER_TAG = 4

/** Holds back the tag that closes code inside a fence (a fence around a whole `<execute>` block), and the space around it. */
export class TagTail implements Tail {
  readonly #closing: string
  #state = SPACE
  #matched = 0
  #held = ''

  constructor(name: string) {
    this.#closing = `</${name}`
  }

  push(code: string): string {
    let certain = ''
    for (let at = 0; at < code.length; at++) {
      const char = code.charCodeAt(at)
      if (!this.#goesOn(char)) {
        certain += this.take()
        this.#begin(char)
      }
      if (this.#state === SPACE && char === NEWLINE) certain += this.#takeLine()
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

  /** Of line ends in front of the tag, the last one alone is held. */
  #takeLine(): string {
    if (!this.#held.includes('\n')) return ''
    const held = this.take()
    if (held.charCodeAt(held.length - 1) !== RETURN) return held
    this.#held = '\r'
    return held.slice(0, -1)
  }

  #begin(char: number): void {
    if (isSpace(char)) this.#state = SPACE
    else if (char === LESS) this.#beginName()
    else this.#state = CODE
  }

  #beginName(): void {
    this.#state = NAME
    this.#matched = 1
  }

  /** Whether, with `char`, what is held can still be the end. */
  #goesOn(char: number): boolean {
    if (this.#state === SPACE) {
      if (char === LESS) this.#beginName()
      return isSpace(char) || char === LESS
    }
    if (this.#state === NAME) return this.#readName(char)
    if (this.#state === REST && char === GREATER) {
      this.#state = AFTER_TAG
      return true
    }
    return this.#state !== CODE && isSpace(char)
  }

  #readName(char: number): boolean {
    if (char !== this.#closing.charCodeAt(this.#matched)) return false
    this.#matched += 1
    if (this.#matched === this.#closing.length) this.#state = REST
    return true
  }
}
