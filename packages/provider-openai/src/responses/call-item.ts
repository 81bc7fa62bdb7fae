import { type AssistantMessage, type ModelEvent, newId } from '@codeact/spec'
import type { EventItem, ResponsesEvent } from './event.ts'

/** A tool call of a reply. */
export class CallItem {
  readonly #callId: string
  readonly #name: string
  #json = ''
  #state: 'new' | 'open' | 'ended' = 'new'

  constructor(item: EventItem) {
    this.#callId = item.call_id || newId('call')
    this.#name = item.name ?? ''
  }

  get hasEnded(): boolean {
    return this.#state === 'ended'
  }

  read({ type, delta, item }: ResponsesEvent): ModelEvent[] {
    const start = this.#start()
    if (type === 'response.function_call_arguments.delta') return [...start, ...this.#write(delta)]
    if (type !== 'response.output_item.done') return start
    // For a server that streams no deltas, they come here.
    const whole = this.#json === '' ? this.#write(item?.arguments) : []
    return [...start, ...whole, ...this.end()]
  }

  end(): ModelEvent[] {
    if (this.#state === 'ended') return []
    this.#state = 'ended'
    return [{ type: 'tool-call-end', callId: this.#callId }]
  }

  parts(): AssistantMessage['content'] {
    return [{ type: 'tool-call', callId: this.#callId, name: this.#name, json: this.#json }]
  }

  #start(): ModelEvent[] {
    if (this.#state !== 'new') return []
    this.#state = 'open'
    return [{ type: 'tool-call-start', callId: this.#callId, name: this.#name }]
  }

  #write(json: unknown): ModelEvent[] {
    if (typeof json !== 'string' || json === '') return []
    this.#json += json
    return [{ type: 'tool-call-delta', callId: this.#callId, json }]
  }
}
