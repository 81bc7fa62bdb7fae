import { GREATER, isSpace, LESS, SLASH } from './chars.ts'
import type { DelimiterFinder, Found, Pass } from './delimiter.ts'
import type { Verdict } from './fence.ts'
import { Prose } from './prose.ts'
import { languageOfTag } from './tag-attributes.ts'

const TEXT = 0
/** In `<execute` or `</execute`. */
const NAME = 1
/** Behind the name, before `>`. */
const REST = 2

/** A tag that has not ended by then is none; so nothing is held back for long. */
const LONGEST = 256

/** Finds code between `<tag>` and `</tag>`. The tag's name is text: no character in it means anything else. */
export class TagFinder implements DelimiterFinder {
  found: Found | undefined
  missing = ''
  readonly #pass: Pass
  readonly #language: string
  readonly #opening: string
  readonly #closing: string
  readonly #prose: Prose
  #isInside = false
  #state = TEXT
  #held = ''
  /** How many characters of the tag are read. */
  #length = 0
  #isClosing = false

  /** `language`: of tags that name none. */
  constructor(pass: Pass, tag: string, language: string) {
    this.#pass = pass
    this.#language = language
    this.#opening = `<${tag}`
    this.#closing = `</${tag}`
    this.#prose = new Prose(tag)
  }

  enter(): void {
    this.#isInside = true
  }

  leave(): void {
    this.#isInside = false
    this.#takeHeld()
  }

  read(chunk: string, at: number): number {
    this.found = undefined
    let next = at
    while (next < chunk.length && this.found === undefined) {
      next = this.#state === TEXT ? this.#readText(chunk, next) : this.#readTag(chunk, next)
    }
    return next
  }

  #readText(chunk: string, at: number): number {
    const start = chunk.indexOf('<', at)
    const end = start < 0 ? chunk.length : start
    this.#passOn(chunk.slice(at, end))
    if (start < 0) return end
    this.#state = NAME
    this.#length = 1
    this.#isClosing = false
    this.#held = '<'
    return end + 1
  }

  #readTag(chunk: string, at: number): number {
    let next = at
    let verdict: Verdict = 'maybe'
    while (verdict === 'maybe' && next < chunk.length) {
      verdict = this.#readChar(chunk.charCodeAt(next))
      if (verdict !== 'no') next += 1
    }
    this.#held += chunk.slice(at, next)
    if (verdict === 'yes' || (verdict === 'no' && this.#isUnfinishedClosing())) this.#tag()
    else if (verdict === 'no') this.#passOn(this.#takeHeld())
    return next
  }

  #readChar(char: number): Verdict {
    if (this.#length === 1 && char === SLASH) this.#isClosing = true
    // `</ execute>`: the white space counts for nothing
    if (this.#length === 2 && this.#isClosing && isSpace(char)) return 'maybe'
    const length = this.#length++
    if (this.#state === REST) return this.#readRest(char)
    const name = this.#isClosing ? this.#closing : this.#opening
    if (char !== name.charCodeAt(length)) return 'no'
    if (this.#length === name.length) this.#state = REST
    return 'maybe'
  }

  #readRest(char: number): Verdict {
    const isFirst = this.#length - 1 === (this.#isClosing ? this.#closing : this.#opening).length
    if (char === GREATER) return 'yes'
    if (char === LESS || this.#length > LONGEST) return 'no'
    return isSpace(char) || !(this.#isClosing || isFirst) ? 'maybe' : 'no'
  }

  /** `</execute` on a line of its own, which some models never finish. */
  #isUnfinishedClosing(): boolean {
    return this.#isClosing && this.#state === REST && /^<\/\s*\S+[^\S\n]*\n/.test(this.#held)
  }

  #tag(): void {
    const raw = this.#takeHeld()
    const language = this.#isClosing ? undefined : this.#languageOf(raw)
    if (this.#isClosing && this.#isInside) this.found = { kind: 'close', raw, code: raw }
    else if (language === undefined) this.#passOn(raw)
    else this.found = { kind: 'open', raw, code: raw, language, endsLine: false }
  }

  /** Undefined for what only looks like a tag, and for one that prose speaks of. */
  #languageOf(raw: string): string | undefined {
    if (!this.#isInside && this.#prose.quotes()) return undefined
    return languageOfTag(raw.slice(this.#opening.length, -1), this.#language)
  }

  #takeHeld(): string {
    const held = this.#held
    this.#held = ''
    this.#state = TEXT
    return held
  }

  #passOn(text: string): void {
    if (text === '') return
    if (!this.#isInside) this.#prose.read(text)
    this.#pass(text)
  }

  get unclosed(): string {
    return this.#isInside ? '' : this.#prose.unclosed
  }

  end(): void {
    this.found = undefined
    const isBeginning = this.#isInside && this.#isClosing && this.#state !== TEXT
    const tag = `${this.#closing}>`
    this.missing = ''
    if (isBeginning) this.missing = this.#state === REST ? '>' : tag.slice(this.#length)
    else if (this.#isInside) this.missing = tag
    const held = this.#takeHeld()
    if (!isBeginning) this.#passOn(held)
  }
}
