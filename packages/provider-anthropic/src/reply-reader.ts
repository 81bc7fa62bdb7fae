import type { EndedReply, LeftReply, ReplyReader } from '@codeact/model'
import type { AssistantMessage, ModelEvent } from '@codeact/spec'
import { type BlockDraft, draftOf, isUnanswered } from './block-draft.ts'
import { finishOf } from './finish.ts'
import type { EventUsage, StreamEvent } from './stream-event.ts'
import { laterUsage, usageOf } from './usage.ts'

/** Reads the events of one reply: ours as they come, and the whole message at the end. */
export class MessageReader implements ReplyReader<StreamEvent> {
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

  end(): EndedReply {
    const blocks = [...this.#blocks.values()]
    return {
      events: blocks.flatMap((block) => block.end()),
      content: this.#partsOf(blocks),
      finish: finishOf(this.#reason),
      reason: this.#reason && `stop_reason ${JSON.stringify(this.#reason)}`,
      usage: usageOf(this.#usage),
    }
  }

  leave(): LeftReply {
    const kept = this.#partsOf([...this.#blocks.values()].filter((block) => !block.isHalf))
    return { content: kept.filter((part) => !isUnanswered(part, kept)), usage: usageOf(this.#usage) }
  }

  #partsOf(blocks: readonly BlockDraft[]): AssistantMessage['content'] {
    return blocks.map((block) => block.part(this.#model)).filter((part) => part !== undefined)
  }

  #start({ index = 0, content_block: block }: StreamEvent): ModelEvent[] {
    if (!block) return []
    const draft = draftOf(block)
    this.#blocks.set(index, draft)
    return draft.start()
  }
}
