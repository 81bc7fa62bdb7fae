import { isBlank, TAB } from './chars.ts'
import type { DelimiterFinder, Found, Pass } from './delimiter.ts'
import { type Fence, FenceLine, isFenceChar, languageOfInfo, type Verdict } from './fence.ts'
import { LineStart } from './line-start.ts'
import { Reasoning } from './reasoning.ts'

const START = 0
const FENCE = 1
/** The line is known to be no fence line. */
const REST = 2

interface OpenFence extends Fence {
  /** Fences in other languages than one can run hold prose. */
  readonly isCode: boolean
  /** The column at which it stands: so much indentation is not part of its lines. */
  readonly column: number
  /** The closing fence is indented no deeper than this. */
  readonly deepest: number
}

/** Finds code in Markdown: fenced blocks, as CommonMark has them, tagged with a language that code is run in. */
export class FenceFinder implements DelimiterFinder {
  found: Found | undefined
  missing = ''
  readonly #pass: Pass
  readonly #untagged: string | undefined
  readonly #start = new LineStart()
  readonly #line = new FenceLine()
  readonly #reasoning = new Reasoning()
  #state = START
  #column = 0
  #held = ''
  #offered: OpenFence | undefined
  #open: OpenFence | undefined
  /** In prose there was a fence that opens a block. */
  #hasQuoted = false

  /** `untagged`: the language of fences that name none; without it, they hold prose. */
  constructor(pass: Pass, untagged: string | undefined) {
    this.#pass = pass
    this.#untagged = untagged
  }

  enter(): void {
    this.#open = this.#offered
  }

  leave(): void {
    this.#open = undefined
    this.#held = ''
    this.#beginLine()
  }

  read(chunk: string, at: number): number {
    this.found = undefined
    let next = at
    while (next < chunk.length && this.found === undefined) {
      next = this.#state === REST ? this.#readRest(chunk, next) : this.#readStart(chunk, next)
    }
    return next
  }

  #readRest(chunk: string, at: number): number {
    const end = chunk.indexOf('\n', at) + 1
    if (end > 0) this.#beginLine()
    const next = end > 0 ? end : chunk.length
    this.#passOn(chunk.slice(at, next))
    return next
  }

  #readStart(chunk: string, at: number): number {
    let next = at
    let verdict: Verdict = 'maybe'
    while (verdict === 'maybe' && next < chunk.length) verdict = this.#readChar(chunk.charCodeAt(next++))
    this.#held += chunk.slice(at, next)
    if (verdict === 'yes') this.#fenceLine()
    else if (verdict === 'no') this.#release()
    return next
  }

  #readChar(char: number): Verdict {
    if (this.#state === FENCE) return this.#line.read(char)
    const place = this.#open === undefined ? this.#start.read(char) : this.#readIndent(char, this.#open)
    if (place === 'more') return 'maybe'
    if (place === 'other' || !isFenceChar(char)) return 'no'
    this.#state = FENCE
    this.#line.begin(char)
    return 'maybe'
  }

  #readIndent(char: number, open: OpenFence): 'more' | 'content' | 'other' {
    if (!isBlank(char)) return 'content'
    this.#column = columnAfter(this.#column, char)
    return this.#column > open.deepest ? 'other' : 'more'
  }

  #beginLine(): void {
    this.#state = START
    this.#column = 0
    this.#start.begin()
  }

  #passOn(text: string): void {
    if (this.#open === undefined) this.#reasoning.read(text)
    this.#pass(text)
  }

  /** What was held is no delimiter. */
  #release(): void {
    const held = this.#takeHeld()
    if (held.endsWith('\n')) this.#beginLine()
    else this.#state = REST
    this.#passOn(this.#asCode(held))
  }

  #fenceLine(): void {
    if (this.#reasoning.isOpen) this.#release()
    else if (this.#open === undefined) this.#openingLine()
    else if (this.#line.closes(this.#open)) this.#closingLine(this.#open)
    else this.#innerLine(this.#open)
  }

  #openingLine(): void {
    const { char, length, info } = this.#line
    const language = info === '' ? this.#untagged : languageOfInfo(info)
    const { column, indent } = this.#start
    const open = { char, length, column, deepest: column - indent + 3, isCode: language !== undefined }
    if (language === undefined) {
      this.#open = open
      this.#hasQuoted = false
      this.#release()
    } else {
      this.#offered = open
      this.#find('open', language)
    }
  }

  #closingLine(open: OpenFence): void {
    if (open.isCode) {
      this.#find('close')
    } else {
      this.#open = undefined
      this.#release()
    }
  }

  /** A fence line that closes nothing; it may show that an earlier one did. */
  #innerLine(open: OpenFence): void {
    const language = languageOfInfo(this.#line.info)
    if (language !== undefined) this.#hasQuoted = true
    if (open.isCode && language !== undefined) this.#find('open', language)
    else this.#release()
  }

  #find(kind: 'open' | 'close', language = ''): void {
    const raw = this.#takeHeld()
    const code = this.#asCode(raw)
    this.found = kind === 'open' ? { kind, raw, code, language, endsLine: true } : { kind, raw, code }
    this.#beginLine()
  }

  #takeHeld(): string {
    const held = this.#held
    this.#held = ''
    return held
  }

  #asCode(line: string): string {
    return this.#open?.isCode ? withoutIndent(line, this.#open.column) : line
  }

  get unclosed(): string {
    if (this.#reasoning.isOpen) return this.#reasoning.closing
    return this.#open === undefined || this.#open.isCode || !this.#hasQuoted ? '' : fenceOf(this.#open)
  }

  end(): void {
    this.found = undefined
    this.missing = ''
    if (this.#open?.isCode) this.#endInCode(this.#open)
    else this.#endInText(this.#open)
  }

  #endInText(open: OpenFence | undefined): void {
    this.#passOn(this.#takeHeld())
    if (open !== undefined && this.#state === FENCE && this.#line.closes(open)) this.#open = undefined
  }

  #endInCode(open: OpenFence): void {
    const fence = fenceOf(open)
    if (this.#state === FENCE && this.#line.closes(open)) {
      this.#find('close')
    } else if (this.#state === FENCE && this.#line.beginsToClose(open)) {
      this.missing = fence.slice(this.#line.length)
      this.#takeHeld()
    } else {
      const isFresh = this.#state === START
      const indent = ' '.repeat(Math.max(0, open.column - (isFresh ? this.#column : 0)))
      this.missing = `${isFresh ? '' : '\n'}${indent}${fence}`
      this.#pass(this.#asCode(this.#takeHeld()))
    }
  }
}

function fenceOf({ char, length }: Fence): string {
  return String.fromCharCode(char).repeat(length)
}

function columnAfter(column: number, blank: number): number {
  return blank === TAB ? column - (column % 4) + 4 : column + 1
}

function withoutIndent(line: string, columns: number): string {
  let at = 0
  let column = 0
  while (column < columns && isBlank(line.charCodeAt(at))) {
    column = columnAfter(column, line.charCodeAt(at))
    if (column <= columns) at += 1 // a tab that leads further than the fence stays
  }
  return line.slice(at)
}
