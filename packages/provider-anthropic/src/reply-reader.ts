import type { ModelEvent } from '@codeact/spec'
import { type BlockDraft, draftOf } from './block-draft.ts'
import { streamCut } from './errors.ts'
import { finishOf } from './finish.ts'
import type { EventUsage, StreamEvent } from './stream-event.ts'
import { laterUsage, usageOf } from './usage.ts'

/** Reads the events of one reply: ours as they come, and the whole message at the end. */
export class ReplyReader {
  readonly #model: string
  /** By index, in the order in which they started. */
  readonly #blocks = new Map<number, BlockDraft>()
  #usage: EventUsage = {}
  #reason = ''

  constructor(model: string) {
    this.#model = model
  }

  /** True once the server has said why the reply ended, and with that what it counted. */
  get isWhole(): boolean {
    return this.#reason !== ''
  }

  read(event: StreamEvent): ModelEvent[] {
    const { index = 0, delta } = event
    switch (event.type) {
      case 'message_start':
        this.#usage = laterUsage(this.#usage, event.message?.usage)
        return []
      case 'content_block_start':
        return this.#start(event)
      case 'content_block_delta':
        return delta ? (this.#blocks.get(index)?.read(delta) ?? []) : []
      case 'content_block_stop':
        return this.#blocks.get(index)?.end() ?? []
      case 'message_delta':
        this.#usage = laterUsage(this.#usage, event.usage)
        this.#reason = delta?.stop_reason || this.#reason
        return []
      default:
        return []
    }
  }

  /** The events that end the reply. Throws `MODEL_STREAM_CUT` when the server never ended it. */
  end(): ModelEvent[] {
    const finish = finishOf(this.#reason)
    if (!finish) throw streamCut(this.#reason && `stop_reason ${JSON.stringify(this.#reason)}`)
    const blocks = [...this.#blocks.values()]
    const open = blocks.flatMap((block) => block.end())
    const content = blocks.map((block) => block.part(this.#model)).filter((part) => part !== undefined)
    return [...open, { type: 'end', message: { role: 'assistant', content }, finish, usage: usageOf(this.#usage) }]
  }

  #start({ index = 0, content_block: block }: StreamEvent): ModelEvent[] {
    if (!block) return []
    const draft = draftOf(block)
    this.#blocks.set(index, draft)
    return draft.start()
  }
}
