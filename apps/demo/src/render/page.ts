import type { Flow } from './flow.ts'

interface Block {
  readonly isResult: boolean
  readonly isApart: boolean
  readonly flow: Flow
  readonly paint: (text: string) => string
  hasBegun: boolean
}

export interface BlockOptions {
  /** Results of code stand close together; everything else has a blank line around it. */
  readonly isResult?: boolean
  /** A blank line before it nevertheless. */
  readonly isApart?: boolean
  readonly paint?: (text: string) => string
}

/** Blocks below each other with the right space between, while their text still comes. A block without text leaves none. */
export class Page {
  #block: Block | undefined
  /** Of the block that was written last; undefined at the top. */
  #lastIsResult: boolean | undefined
  #isLineOpen = false

  /** Ends the block before, and begins another one. */
  open(flow: Flow, { isResult = false, isApart = false, paint = (text) => text }: BlockOptions = {}): string {
    const out = this.close()
    this.#block = { isResult, isApart, flow, paint, hasBegun: false }
    return out
  }

  write(text: string): string {
    return this.#block === undefined ? '' : this.#put(this.#block, this.#block.flow.push(text))
  }

  close(): string {
    const block = this.#block
    if (block === undefined) return ''
    const out = this.#put(block, block.flow.end())
    this.#block = undefined
    return out
  }

  /** Ends the block and its line: what is written next begins a line of its own. */
  settle(): string {
    const out = this.close()
    const end = this.#isLineOpen ? '\n' : ''
    this.#isLineOpen = false
    return out + end
  }

  /** The same, and the page begins anew: something else is written in between. */
  leave(): string {
    const out = this.settle()
    this.#lastIsResult = undefined
    return out
  }

  #put(block: Block, text: string): string {
    if (text === '') return ''
    const space = block.hasBegun ? '' : this.#space(block)
    block.hasBegun = true
    this.#lastIsResult = block.isResult
    this.#isLineOpen = true
    return space + block.paint(text)
  }

  #space({ isResult, isApart }: Block): string {
    const end = this.#isLineOpen ? '\n' : ''
    const isFirst = this.#lastIsResult === undefined
    return isFirst || (isResult && this.#lastIsResult && !isApart) ? end : `${end}\n`
  }
}
