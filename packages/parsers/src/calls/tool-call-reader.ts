import type { ActionEvent, ActionReader, Finish, ModelEvent } from '@codeact/spec'
import { Output } from '../output.ts'
import type { Call } from './call.ts'

/** Makes what reads a call, by its name; what it finds goes to `output`. */
export type CallMaker = (callId: string, name: string, output: Output) => Call

/**
 * Reads one reply of a model that acts through native tool calls. Its text is text, whatever stands in it. Each call becomes
 * one action, in the order in which they began.
 */
export class ToolCallReader implements ActionReader {
  readonly missing = ''
  readonly enough = undefined
  readonly #make: CallMaker
  readonly #output = new Output()
  /** What is not settled yet, in order. */
  readonly #calls = new Map<string, Call>()
  readonly #ended = new Set<string>()

  constructor(make: CallMaker) {
    this.#make = make
  }

  feed(input: string | ModelEvent): readonly ActionEvent[] {
    if (typeof input === 'string') this.#output.text(input)
    else this.#read(input)
    return this.#output.take()
  }

  end(finish?: Finish): readonly ActionEvent[] {
    const isCut = finish === 'length' || finish === 'pause'
    const calls = [...this.#calls.values()]
    for (const call of calls) call.end(isCut && call === calls.at(-1))
    this.#calls.clear()
    return this.#output.take()
  }

  #read(event: ModelEvent): void {
    switch (event.type) {
      case 'text-delta':
        this.#output.text(event.text)
        break
      case 'tool-call-start':
        this.#calls.set(event.callId, this.#make(event.callId, event.name, this.#output))
        this.#settle()
        break
      case 'tool-call-delta':
        this.#calls.get(event.callId)?.read(event.json)
        break
      case 'tool-call-end':
        this.#ended.add(event.callId)
        this.#settle()
        break
    }
  }

  /** In order. Whether the last call was cut off shows only when the reply is over, unless nothing of it is missing. */
  #settle(): void {
    for (const [callId, call] of this.#calls) {
      const isLast = this.#calls.size === 1
      if (!this.#ended.has(callId) || (isLast && !call.isWhole)) return
      this.#calls.delete(callId)
      call.end(false)
    }
  }
}
