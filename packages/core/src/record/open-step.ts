import type { CallRecord, CellRecord, CodeActEvent, Message } from '@codeact/spec'
import { isCut } from '../loop/cut-code.ts'

type EventOf<Type extends CodeActEvent['type']> = Extract<CodeActEvent, { type: Type }>
type Call = { -readonly [Key in keyof CallRecord]: CallRecord[Key] }
type Cell = Omit<CellRecord, 'calls'> & { readonly calls: Call[] }

/** A step that has not ended: what it adds to the history if it does, and else what the model must know of it. */
export class OpenStep {
  readonly #id: string
  /** What was said, by the model and to it. */
  readonly said: Message[] = []
  /** The code and the calls that have begun. */
  readonly begun: string[] = []
  /** True where the reply was cut off, and its last block is open. */
  isCut = false
  readonly #cells = new Map<string, Cell>()
  readonly #calls = new Map<string, Call>()
  #isOpen = false

  constructor(id: string) {
    this.#id = id
  }

  get cells(): readonly CellRecord[] {
    return [...this.#cells.values()]
  }

  see(event: CodeActEvent): void {
    if (event.type === 'tool-start') this.#call(event)
    else if (event.type === 'tool-end') this.#answer(event)
    else if (event.type === 'execution-start' && event.parent === this.#id) this.#start(event)
    else if (event.type === 'execution-end') this.#end(event)
    else if (event.type === 'code-end') this.#isOpen = event.action.type === 'code' && !event.action.closed
    else if (event.type === 'model-end' && event.parent === this.#id) this.#hear(event)
    else if (event.type === 'observation' && event.parent === this.#id) this.said.push(...(event.messages ?? []))
  }

  /** A call that failed, or was stopped, gave no reply. */
  #hear({ message, finish }: EventOf<'model-end'>): void {
    if (finish === 'aborted' || finish === 'error') return
    this.said.push(message)
    this.isCut = isCut(finish) && this.#isOpen
  }

  #start({ id, language, code }: EventOf<'execution-start'>): void {
    this.begun.push(code)
    // So it stays where it does not end.
    this.#cells.set(id, { language, code, status: 'aborted', state: 'lost', calls: [] })
  }

  #end({ id, execution: { status, state } }: EventOf<'execution-end'>): void {
    const cell = this.#cells.get(id)
    if (cell !== undefined) this.#cells.set(id, { ...cell, status, state })
  }

  #call({ id, parent = '', name, input }: EventOf<'tool-start'>): void {
    const call = { name, input }
    if (parent === this.#id) this.begun.push(`${name}(${JSON.stringify(input)})`)
    const cell = this.#cells.get(parent)
    if (cell === undefined) return
    cell.calls.push(call)
    this.#calls.set(id, call)
  }

  #answer({ id, outcome }: EventOf<'tool-end'>): void {
    const call = this.#calls.get(id)
    if (call !== undefined) call.outcome = outcome
  }
}
