import type { ActionEvent } from '@codeact/spec'

/** How a syntax writes its delimiters, said independently of the code that finds them. */
export interface Delimiters {
  /** What opens a block, with what stands between that and the first line of code. */
  readonly open: RegExp
  /** What closes one, with what stands between that and the code: the shortest that can be. */
  readonly close: RegExp
  /** How many columns of indentation are taken from each line of a block that was opened so. */
  indent(opening: string): number
}

/**
 * Walks through a reply along its events: text and code must be there in order, and all that is left over must be a
 * delimiter. Returns what is wrong, or nothing.
 */
export function walk(reply: string, events: readonly ActionEvent[], delimiters: Delimiters): string {
  const walker = new Walker(reply, delimiters)
  const lost = events.find((event) => !walker.follows(event))
  const place = JSON.stringify(reply.slice(walker.at))
  if (lost !== undefined) return `${JSON.stringify(lost)} is not what comes at ${place}`
  return walker.at === reply.length ? '' : `left over: ${place}`
}

class Walker {
  at = 0
  readonly #reply: string
  readonly #delimiters: Delimiters
  #indent = 0

  constructor(reply: string, delimiters: Delimiters) {
    this.#reply = reply
    this.#delimiters = delimiters
  }

  follows(event: ActionEvent): boolean {
    if (event.type === 'action' && event.action.type === 'invalid' && event.action.text === '') return true // a remark
    if (event.type === 'text') return this.#takeText(event.text)
    if (event.type === 'code-start') return this.#open()
    if (event.type === 'code-delta') return this.#take(event.text)
    return (event.type === 'code-end' || this.#open()) && this.#skip(this.#delimiters.close) !== undefined
  }

  #open(): boolean {
    const opening = this.#skip(this.#delimiters.open)
    this.#indent = opening === undefined ? 0 : this.#delimiters.indent(opening)
    return opening !== undefined
  }

  #takeText(text: string): boolean {
    this.#indent = 0
    return this.#take(text)
  }

  #take(text: string): boolean {
    return text.split('').every((char) => {
      this.#skipIndent()
      this.at += 1
      return this.#reply[this.at - 1] === char
    })
  }

  #skipIndent(): void {
    if (this.at > 0 && this.#reply[this.at - 1] !== '\n') return
    const [blanks = ''] = /^[ \t]*/.exec(this.#reply.slice(this.at)) ?? []
    let length = blanks.length
    while (columns(blanks.slice(0, length)) > this.#indent) length -= 1
    this.at += length
  }

  #skip(pattern: RegExp): string | undefined {
    const sticky = new RegExp(pattern.source, 'y')
    sticky.lastIndex = this.at
    const found = sticky.exec(this.#reply)?.[0]
    this.at += found?.length ?? 0
    return found
  }
}

/** How wide text is when a tab leads to the next multiple of four. */
export function columns(text: string): number {
  return text.split('').reduce((column, char) => (char === '\t' ? column - (column % 4) + 4 : column + 1), 0)
}
