import type { ActionEvent, ActionReader, Finish, ModelEvent } from '@codeact/spec'
import { Block } from './block.ts'
import { BlockReader } from './block-reader.ts'
import { FenceFinder } from './fence-finder.ts'
import { scannerFor } from './languages.ts'
import type { Scanner } from './lexical/scanner.ts'
import { Output } from './output.ts'

/**
 * Reads a reply that should be nothing but code. Any line of it could turn out to be a fence, with which all before it was
 * prose, so the code comes at the end; unless there is a fence: then blocks stream as in any fenced reply.
 */
export class CodeOnlyReader implements ActionReader {
  readonly #language: string
  readonly #scanner: Scanner
  readonly #finder: FenceFinder
  #reply = ''
  /** There is a fence inside a literal: of the code, unless that literal is an apostrophe in prose and so never ends. */
  #isFenceInside = false
  #fenced: BlockReader | undefined
  #isOver = false

  constructor(language: string) {
    this.#language = language
    this.#scanner = scannerFor(language)
    this.#finder = new FenceFinder((text) => this.#scanner.scan(text), language)
  }

  get missing(): string {
    return this.#fenced?.missing ?? ''
  }

  get enough(): undefined {
    return undefined
  }

  feed(input: string | ModelEvent): readonly ActionEvent[] {
    if (this.#fenced !== undefined) return this.#fenced.feed(input)
    if (typeof input === 'string') return this.#read(input)
    return input.type === 'text-delta' ? this.#read(input.text) : []
  }

  end(finish?: Finish): readonly ActionEvent[] {
    if (this.#fenced !== undefined) return this.#fenced.end(finish)
    if (this.#isOver) return []
    this.#isOver = true
    this.#finder.end()
    if (this.#isFenceInside && this.#scanner.inside) return [...this.#readFenced(), ...this.end(finish)]
    return this.#readBare(finish !== 'length' && finish !== 'pause')
  }

  #read(text: string): readonly ActionEvent[] {
    this.#reply += text
    for (let at = 0; at < text.length; ) {
      at = this.#finder.read(text, at)
      const found = this.#finder.found
      if (found !== undefined && !this.#scanner.inside) return this.#readFenced()
      if (found !== undefined) this.#isFenceInside = true
      this.#scanner.scan(found?.raw ?? '')
    }
    return []
  }

  /** All that was held back is prose and fenced code. */
  #readFenced(): readonly ActionEvent[] {
    const finder = (pass: (text: string) => void) => new FenceFinder(pass, this.#language)
    this.#fenced = new BlockReader({ blocks: 'all', stop: [], finder })
    return this.#fenced.feed(this.#takeReply())
  }

  /** All that was held back is code. */
  #readBare(isWhole: boolean): readonly ActionEvent[] {
    const output = new Output()
    const block = new Block({ kind: 'open', raw: '', code: '', language: this.#language, endsLine: false }, output)
    block.write(this.#takeReply())
    block.end(isWhole, '')
    return output.take()
  }

  #takeReply(): string {
    const reply = this.#reply
    this.#reply = ''
    return reply
  }
}
