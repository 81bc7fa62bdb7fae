import { newId } from '@codeact/spec'
import type { Delimiter, Opening } from './delimiter.ts'
import { scannerFor } from './languages.ts'
import type { Scanner } from './lexical/scanner.ts'
import type { Output } from './output.ts'
import { BlankTail, type Tail } from './tail.ts'
import { Wrapper, type Wrapping } from './wrapper.ts'

/** One block of code while it is read: what of it is code, and whether a delimiter could stand inside a literal of it. */
export class Block {
  readonly #opening: Opening
  readonly #output: Output
  #language: string
  #scanner: Scanner
  #tail: Tail = new BlankTail()
  #wrapper: Wrapper | undefined
  /** White space in front of the code, of which only the first line's indentation is code; undefined once there is code. */
  #lead: string | undefined
  #id = ''
  #code = ''
  /** Code only if the block goes on past the first delimiter that could close it; undefined before that delimiter. */
  #doubtful: string | undefined
  /** What the tail held in front of the delimiter that was met last. */
  #gap = ''

  constructor(opening: Opening, output: Output) {
    this.#opening = opening
    this.#output = output
    this.#language = opening.language
    this.#scanner = scannerFor(opening.language)
    this.#lead = opening.endsLine ? '\n' : ''
    this.#wrapper = new Wrapper({ fence: !opening.endsLine, tag: opening.endsLine || opening.raw === '' })
  }

  write(text: string): void {
    const code = this.#wrapper === undefined ? text : this.#unwrap(this.#wrapper, text)
    this.#settle(this.#tail.push(code))
  }

  /** Whether a delimiter at this place would stand inside a literal of the code. */
  meetsInside(): boolean {
    if (this.#wrapper !== undefined) this.#leaveWrapper(this.#wrapper)
    this.#gap = this.#tail.take()
    if (this.#lead !== undefined) return false
    this.#scanner.scan(this.#gap.slice(0, afterLine(this.#gap)))
    return this.#scanner.inside
  }

  /** The delimiter that was just met may be part of the code: what follows is doubtful from here on. */
  doubt(delimiter: Delimiter): void {
    this.#doubtful = ''
    this.goOn(delimiter)
  }

  /** The delimiter that was just met is part of the code. */
  goOn(delimiter: Delimiter): void {
    this.#scanner.scan(this.#gap.slice(afterLine(this.#gap)))
    this.#add(this.#gap)
    this.write(delimiter.code)
  }

  /** The block goes on past the first delimiter: what was doubtful is code. */
  trust(): void {
    const code = this.#doubtful ?? ''
    this.#doubtful = undefined
    this.#add(code)
  }

  /** Ends the block, without what is still doubtful or held back. `delimiter`: what closed it, as written. */
  end(closed: boolean, delimiter: string): void {
    const { type, language, code } = { type: 'code' as const, language: this.#language, code: this.#code }
    if (this.#lead === undefined) {
      this.#output.event({ type: 'code-end', id: this.#id, action: { type, language, code, closed } })
    } else {
      const { raw } = this.#opening
      const reason =
        raw === ''
          ? 'The reply was empty. Write the code that is to run, and nothing else.'
          : `There was no code in a block. Write the code behind ${raw.trim()}, or leave the block out.`
      this.#output.event({ type: 'action', action: { type: 'invalid', reason, text: raw + delimiter } })
    }
  }

  #unwrap(wrapper: Wrapper, text: string): string {
    const rest = wrapper.push(text)
    if (!wrapper.isSettled) return ''
    this.#wrapper = undefined
    if (wrapper.wrapping !== undefined) this.#enter(wrapper.wrapping)
    return rest
  }

  /** There was no time to see whether it is one, so it is code. */
  #leaveWrapper(wrapper: Wrapper): void {
    this.#wrapper = undefined
    this.#settle(this.#tail.push(wrapper.take()))
  }

  #enter({ language, endsLine, tail }: Wrapping): void {
    this.#language = language ?? this.#language
    this.#scanner = scannerFor(this.#language)
    this.#lead = endsLine ? '\n' : ''
    this.#tail = tail
  }

  #settle(text: string): void {
    const code = this.#lead === undefined ? text : this.#begin(this.#lead, text)
    if (code === '') return
    this.#scanner.scan(code)
    this.#add(code)
  }

  /** Blank lines before the code are not code, nor are blanks between a tag and code on the same line. */
  #begin(lead: string, text: string): string {
    const start = text.search(/\S/)
    if (start < 0) {
      this.#lead = lead + text
      return ''
    }
    const space = lead + text.slice(0, start)
    this.#lead = undefined
    this.#id = newId('code')
    this.#output.event({ type: 'code-start', id: this.#id, language: this.#language })
    const line = space.lastIndexOf('\n') + 1
    return (line > 0 ? space.slice(line) : '') + text.slice(start)
  }

  #add(code: string): void {
    if (this.#doubtful !== undefined) {
      this.#doubtful += code
    } else if (code !== '') {
      this.#code += code
      this.#output.code(this.#id, code)
    }
  }
}

/** Where the line that `text` begins in ends; 0 when it does not. */
function afterLine(text: string): number {
  return text.indexOf('\n') + 1
}
