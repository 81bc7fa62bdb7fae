import { GREATER, isSpace, LESS, NEWLINE } from './chars.ts'
import type { Closing } from './closing-tail.ts'

const CODE = 0
const SPACE = 1
/** In `</execute`. */
const NAME = 2
/** Behind the name, before `>`. */
const REST = 3
const AFTER_TAG = 4

/** The tag that closes code inside a fence: a fence around a whole `<execute>` block. */
export class TagClosing implements Closing {
  readonly #closing: string
  #state = SPACE
  #matched = 0
  #hasNewline = false

  constructor(name: string) {
    this.#closing = `</${name}`
  }

  read(char: number): 'on' | 'anew' | 'code' {
    if (this.#goesOn(char)) return 'on'
    if (isSpace(char)) this.#beginSpace(char)
    else if (char === LESS) this.#beginName()
    else this.#state = CODE
    return this.#state === CODE ? 'code' : 'anew'
  }

  #beginSpace(char: number): void {
    this.#state = SPACE
    this.#hasNewline = char === NEWLINE
  }

  #beginName(): void {
    this.#state = NAME
    this.#matched = 1
  }

  #goesOn(char: number): boolean {
    if (this.#state === SPACE) return this.#readSpace(char)
    if (this.#state === NAME) return this.#readName(char)
    if (this.#state === REST && char === GREATER) {
      this.#state = AFTER_TAG
      return true
    }
    return this.#state !== CODE && isSpace(char)
  }

  /** Of line ends in front of the tag, the last one alone belongs to it. */
  #readSpace(char: number): boolean {
    if (char === LESS) this.#beginName()
    if (char === NEWLINE && this.#hasNewline) return false
    if (char === NEWLINE) this.#hasNewline = true
    return isSpace(char) || char === LESS
  }

  #readName(char: number): boolean {
    if (char !== this.#closing.charCodeAt(this.#matched)) return false
    this.#matched += 1
    if (this.#matched === this.#closing.length) this.#state = REST
    return true
  }
}
