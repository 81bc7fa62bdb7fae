import type { AssistantMessage, ModelEvent } from '@codeact/spec'
import type { EventItem, ResponsesEvent } from './event.ts'
import { phasePart } from './reasoning-part.ts'

/** Words of a reply. Those of a refusal are words too. */
export class MessageItem {
  readonly #model: string
  readonly #before: string
  #phase: string | undefined
  text = ''
  isRefusal = false

  /** @param before what parts it from the words before it */
  constructor(model: string, before: string) {
    this.#model = model
    this.#before = before
  }

  read({ type, delta, item }: ResponsesEvent): ModelEvent[] {
    this.#phase = item?.phase ?? this.#phase
    if (type === 'response.refusal.delta') this.isRefusal = true
    if (type === 'response.refusal.delta' || type === 'response.output_text.delta') return this.#say(delta)
    return type === 'response.output_item.done' && this.text === '' ? this.#sayWhole(item) : []
  }

  parts(): AssistantMessage['content'] {
    if (this.text === '') return []
    const phase = this.#phase === undefined ? [] : [phasePart(this.#model, this.#phase)]
    return [...phase, { type: 'text', text: this.text }]
  }

  #say(words: unknown): ModelEvent[] {
    if (typeof words !== 'string' || words === '') return []
    const text = this.text === '' ? this.#before + words : words
    this.text += text
    return [{ type: 'text-delta', text }]
  }

  /** For a server that streams no deltas. */
  #sayWhole(item: EventItem | null | undefined): ModelEvent[] {
    const contents = Array.isArray(item?.content) ? (item.content as readonly Content[]) : []
    this.isRefusal ||= contents.some(({ refusal }) => typeof refusal === 'string')
    return contents.flatMap(({ text, refusal }) => this.#say(text ?? refusal))
  }
}

interface Content {
  readonly text?: unknown
  readonly refusal?: unknown
}
