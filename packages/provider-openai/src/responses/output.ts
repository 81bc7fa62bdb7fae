import type { EndedReply } from '@codeact/model'
import type { ModelEvent } from '@codeact/spec'
import { CallItem } from './call-item.ts'
import type { ResponsesEvent } from './event.ts'
import { MessageItem } from './message-item.ts'
import { ReasoningItem } from './reasoning-item.ts'

type Item = MessageItem | CallItem | ReasoningItem

/** What a reply is made of, item by item. Items of kinds that were not asked for are passed over. */
export class Output {
  readonly #model: string
  readonly #items = new Map<number, Item>()

  constructor(model: string) {
    this.#model = model
  }

  get isRefusal(): boolean {
    return this.#all().some((item) => item instanceof MessageItem && item.isRefusal)
  }

  get hasCalls(): boolean {
    return this.#all().some((item) => item instanceof CallItem)
  }

  read(event: ResponsesEvent): ModelEvent[] {
    return this.#itemOf(event)?.read(event) ?? []
  }

  /** All of it, and the ends of what is still open. */
  end(): Pick<EndedReply, 'events' | 'content'> {
    const events = this.#all().flatMap((item) => (item instanceof CallItem ? item.end() : []))
    return { events, content: this.#all().flatMap((item) => item.parts()) }
  }

  /** What has come of it, without the calls that are still open. */
  leave(): Pick<EndedReply, 'content'> {
    const whole = this.#all().filter((item) => !(item instanceof CallItem) || item.hasEnded)
    return { content: whole.flatMap((item) => item.parts()) }
  }

  #itemOf(event: ResponsesEvent): Item | undefined {
    const index = event.output_index ?? Math.max(0, this.#items.size - 1)
    const known = this.#items.get(index)
    if (known) return known
    const item = this.#create(event)
    if (item) this.#items.set(index, item)
    return item
  }

  /** By its own type; servers that announce no items are understood by the deltas. */
  #create(event: ResponsesEvent): Item | undefined {
    const kind = event.item?.type ?? event.type ?? ''
    if (/^message$|\.(output_text|refusal)\./.test(kind)) return new MessageItem(this.#model, this.#break())
    if (/^reasoning$|\.reasoning_/.test(kind)) return new ReasoningItem(this.#model)
    return kind === 'function_call' && event.item ? new CallItem(event.item) : undefined
  }

  /** Between two messages of one reply: the text of a reply is read as one, and a fence must begin a line. */
  #break(): string {
    const text = this.#all().findLast((item) => item instanceof MessageItem)?.text ?? ''
    return text === '' || text.endsWith('\n') ? '' : '\n\n'
  }

  #all(): Item[] {
    return [...this.#items.values()]
  }
}
