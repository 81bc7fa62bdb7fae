import type { ActionEvent, ActionReader, Finish, ModelEvent } from '@codeact/spec'
import { hidden } from './hidden.ts'
import { Reasoning } from './reasoning.ts'

/** Reads the reasoning that a reply begins with, if it does, as text, and hands the rest to another reader. */
export class AfterReasoning implements ActionReader {
  readonly #reader: ActionReader
  readonly #reasoning = new Reasoning()
  /** What may be the beginning of reasoning. */
  #held = ''
  #hasOpened = false
  #isPast = false
  #isOver = false

  constructor(reader: ActionReader) {
    this.#reader = reader
  }

  get missing(): string {
    return this.#reader.missing
  }

  get enough(): number | undefined {
    return this.#reader.enough
  }

  feed(input: string | ModelEvent): readonly ActionEvent[] {
    if (this.#isPast) return this.#reader.feed(input)
    if (typeof input === 'string') return this.#read(input)
    return input.type === 'text-delta' ? this.#read(input.text) : []
  }

  end(finish?: Finish): readonly ActionEvent[] {
    if (this.#reasoning.isOpen) return this.#endOpen(finish)
    const held = this.#takeHeld('')
    return held === '' ? this.#reader.end(finish) : [...this.#reader.feed(held), ...this.#reader.end(finish)]
  }

  #endOpen(finish: Finish | undefined): readonly ActionEvent[] {
    if (this.#isOver || finish === 'length') return []
    this.#isOver = true
    return [{ type: 'action', action: hidden(this.#reasoning.closing) }]
  }

  #read(text: string): readonly ActionEvent[] {
    let at = 0
    while (at < text.length && this.#goesOn()) this.#reasoning.step(text.charCodeAt(at++))
    this.#isPast = !this.#goesOn()
    const begun = this.#takeHeld(text.slice(0, at))
    const rest = this.#isPast ? text.slice(at) : ''
    if (this.#hasOpened)
      return begun === '' ? this.#reader.feed(rest) : [{ type: 'text', text: begun }, ...this.#reader.feed(rest)]
    if (this.#isPast) return this.#reader.feed(begun + rest)
    this.#held = begun
    return []
  }

  /** Whether the next character belongs to the reasoning, or may. */
  #goesOn(): boolean {
    this.#hasOpened ||= this.#reasoning.isOpen
    return this.#reasoning.isOpen || (!this.#hasOpened && this.#reasoning.mayOpen)
  }

  #takeHeld(more: string): string {
    const held = this.#held + more
    this.#held = ''
    return held
  }
}
