import { BACKTICK, GREATER, isBlank, NEWLINE } from './chars.ts'
import { type Fence, FenceLine, isFenceChar, languageOfInfo } from './fence.ts'
import { LineStart } from './line-start.ts'
import { Reasoning } from './reasoning.ts'

const START = 0
const FENCE = 1
const REST = 2

/** Fences that models put around tags, beside those in a language that code is run in, and those that name nothing. */
const AROUND_TAGS = new Set(['xml', 'html', 'code'])

interface OpenFence extends Fence {
  /** Of `json`, `text`, `output`: what is inside is shown, and not meant. */
  readonly quotes: boolean
}

/**
 * Follows the text between blocks, to say whether a tag in it is only spoken of: in reasoning, in a fence of prose, in a block
 * quote, in a code span.
 */
export class Prose {
  readonly #reasoning = new Reasoning()
  readonly #start = new LineStart()
  readonly #line = new FenceLine()
  readonly #tag: string
  #fence: OpenFence | undefined
  #state = START
  /** The line belongs to a block quote. */
  #isQuote = false
  /** The backticks right before this place. */
  #ticks = 0
  /** How many backticks opened the code span; 0 outside one. A span ends with its line. */
  #span = 0
  #hasQuoted = false

  constructor(tag: string) {
    this.#tag = tag
  }

  read(text: string): void {
    for (let at = 0; at < text.length; at++) {
      const char = text.charCodeAt(at)
      if (!this.#isPlain || char === NEWLINE || char === BACKTICK) this.#step(char)
    }
  }

  /** Whether only the end of the line or a backtick can change anything. */
  get #isPlain(): boolean {
    return this.#state === REST && this.#ticks === 0 && !this.#reasoning.isOpen && !this.#reasoning.mayOpen
  }

  /** Whether a tag right here is only spoken of. */
  quotes(): boolean {
    if (this.#reasoning.isOpen) return true
    if (this.#fence === undefined) return this.#isQuote || this.#isInSpan()
    if (this.#fence.quotes) this.#hasQuoted = true
    return this.#fence.quotes
  }

  /** What was never closed, and kept a tag from being read: the closing mark or fence; else empty. */
  get unclosed(): string {
    if (this.#reasoning.isOpen) return this.#reasoning.closing
    if (this.#fence === undefined || !this.#hasQuoted) return ''
    if (this.#state === FENCE && this.#line.closes(this.#fence)) return ''
    return String.fromCharCode(this.#fence.char).repeat(this.#fence.length)
  }

  #step(char: number): void {
    if (this.#fence === undefined) this.#reasoning.step(char)
    if (this.#reasoning.isOpen) return
    this.#countTicks(char)
    if (this.#state === START) this.#readStart(char)
    else if (this.#state === FENCE) this.#readFence(char)
    if (char === NEWLINE) this.#beginLine()
  }

  #readStart(char: number): void {
    const place = this.#fence === undefined ? this.#start.read(char) : isBlank(char) ? 'more' : 'content'
    if (place === 'more') return
    const isFence = place === 'content' && isFenceChar(char)
    this.#isQuote = place === 'content' && char === GREATER
    this.#state = isFence ? FENCE : REST
    if (isFence) this.#line.begin(char)
  }

  #readFence(char: number): void {
    const verdict = this.#line.read(char)
    if (verdict === 'no') this.#state = REST
    else if (verdict === 'yes') this.#fenceLine(this.#line)
  }

  #fenceLine({ char, length, info }: FenceLine): void {
    if (this.#fence !== undefined) {
      if (this.#line.closes(this.#fence)) this.#fence = undefined
      return
    }
    const word = /^\S+/.exec(info)?.[0] ?? ''
    const isAround = info === '' || languageOfInfo(info) !== undefined || AROUND_TAGS.has(word.toLowerCase())
    this.#fence = { char, length, quotes: !isAround && word !== this.#tag }
    this.#hasQuoted = false
  }

  #beginLine(): void {
    this.#state = START
    this.#isQuote = false
    this.#start.begin()
    this.#ticks = 0
    this.#span = 0
  }

  #countTicks(char: number): void {
    if (char === BACKTICK) {
      this.#ticks += 1
    } else if (this.#ticks > 0) {
      this.#span = this.#isInSpan() ? this.#span || this.#ticks : 0
      this.#ticks = 0
    }
  }

  /** Three backticks and more open no span: so do models that put a tag right behind a fence. */
  #isInSpan(): boolean {
    if (this.#span === 0) return this.#ticks === 1 || this.#ticks === 2
    return this.#ticks !== this.#span
  }
}
