import type { ActionEvent, ActionReader, Finish, ModelEvent } from '@codeact/spec'
import { Block } from './block.ts'
import type { DelimiterFinder, Found, Pass } from './delimiter.ts'
import { hidden } from './hidden.ts'
import { Input, type Read } from './input.ts'
import { Output } from './output.ts'

export interface Syntax {
  /** Whether every block of a reply is an action, or its first one only. */
  readonly blocks: 'all' | 'first'
  /** The stop sequences that the model is given. */
  readonly stop: readonly string[]
  finder(pass: Pass): DelimiterFinder
}

/**
 * Reads one reply: text, blocks of code, text. The story of every syntax with delimiters.
 *
 * A delimiter that could close a block closes it when it stands outside the literals and comments of the code. One inside
 * leaves a doubt: from there on everything is held back, until a later delimiter stands outside, and all up to it was code;
 * or until it is certain that none will, because a block opens outside the literals or the reply is over. Then the first one
 * closed the block, and what followed it is read again as text.
 */
export class BlockReader implements ActionReader {
  missing = ''
  readonly #syntax: Syntax
  readonly #finder: DelimiterFinder
  readonly #input = new Input()
  readonly #output = new Output()
  #block: Block | undefined
  /** In doubt: what followed the first delimiter that could have closed the block. */
  #since: string | undefined
  /** The one block that was wanted is over. */
  #hasEnough = false
  #hasEnded = false
  #fed = 0
  #left = 0

  constructor(syntax: Syntax) {
    this.#syntax = syntax
    this.#finder = syntax.finder((text) => this.#pass(text))
  }

  /** How many characters were read, each counted again when it was read again. */
  get work(): number {
    return this.#input.work
  }

  get enough(): number | undefined {
    return this.#hasEnough ? this.#fed - this.#left : undefined
  }

  feed(input: string | ModelEvent): readonly ActionEvent[] {
    if (typeof input === 'string') this.#read(input)
    else if (input.type === 'text-delta') this.#read(input.text)
    return this.#output.take()
  }

  end(finish?: Finish): readonly ActionEvent[] {
    while (!this.#settle(finish)) this.#read('')
    return this.#output.take()
  }

  #read(text: string): void {
    this.#fed += text.length
    this.#input.push(text)
    while (this.#input.advance(this.#readOn)) {
      if (this.#since !== undefined) this.#since += this.#input.last
      if (this.#finder.found !== undefined && !this.#hasEnough) this.#meet(this.#finder.found)
    }
  }

  readonly #readOn: Read = (text, at) => {
    if (!this.#hasEnough) return this.#finder.read(text, at)
    this.#left += text.length - at
    return text.length
  }

  #pass(text: string): void {
    if (this.#block === undefined) this.#output.text(text)
    else this.#block.write(text)
  }

  #meet(found: Found): void {
    if (this.#block === undefined) this.#open(found)
    else if (this.#since === undefined && found.kind === 'open') this.#block.write(found.code)
    else if (this.#block.meetsInside()) this.#meetInside(this.#block, found)
    else if (found.kind === 'close') this.#close(this.#block, found.raw)
    else this.#closeAtFirst(this.#block)
  }

  #open(found: Found): void {
    if (found.kind === 'close') return
    this.#block = new Block(found, this.#output)
    this.#finder.enter()
  }

  #meetInside(block: Block, found: Found): void {
    if (this.#since !== undefined) {
      block.goOn(found)
    } else if (this.#input.mayDoubt) {
      this.#since = ''
      block.doubt(found)
    } else {
      this.#close(block, found.raw)
    }
  }

  #close(block: Block, delimiter: string): void {
    block.trust()
    this.#leave(block, true, delimiter)
  }

  /** The doubt is over: the first delimiter closed the block. */
  #closeAtFirst(block: Block): void {
    const since = this.#since ?? ''
    this.#leave(block, true, '')
    this.#input.again(since)
  }

  #leave(block: Block, closed: boolean, delimiter: string): void {
    block.end(closed, delimiter)
    this.#block = undefined
    this.#since = undefined
    this.#finder.leave()
    this.#hasEnough = closed && this.#syntax.blocks === 'first'
  }

  /** Settles what the end of the reply settles; false when there is something to read again. */
  #settle(finish: Finish | undefined): boolean {
    if (this.#hasEnough || this.#hasEnded) return true
    this.#finder.end()
    if (this.#finder.found !== undefined) this.#meet(this.#finder.found)
    if (this.#block === undefined) return this.#endText(finish)
    // Out of tokens: the delimiter that would have settled a doubt may just not have been written.
    if (this.#since === undefined || finish === 'length') return this.#endUnclosed(this.#block, finish)
    this.#closeAtFirst(this.#block)
    return false
  }

  /** Reasoning or prose that was never closed may hide a block: the model gets to know. */
  #endText(finish: Finish | undefined): true {
    const { unclosed } = this.#finder
    if (unclosed !== '' && finish !== 'length') this.#output.event({ type: 'action', action: hidden(unclosed) })
    this.#hasEnded = true
    return true
  }

  #endUnclosed(block: Block, finish: Finish | undefined): true {
    const isEaten = finish === 'stop-sequence' || (finish === 'stop' && this.#syntax.stop.length > 0)
    this.missing = isEaten ? this.#finder.missing : ''
    block.trust()
    this.#leave(block, isEaten, '')
    return true
  }
}
