import type { AssistantMessage, JsonValue, ModelEvent } from '@codeact/spec'
import type { EventItem, ResponsesEvent } from './event.ts'
import { reasoningPart } from './reasoning-part.ts'

/** Reasoning of a reply: its summary is told as it comes, and the item itself is kept as it is. */
export class ReasoningItem {
  readonly #model: string
  #item: EventItem | undefined

  constructor(model: string) {
    this.#model = model
  }

  read({ type, delta, item, summary_index = 0 }: ResponsesEvent): ModelEvent[] {
    switch (type) {
      case 'response.reasoning_summary_part.added':
        return summary_index > 0 ? tell('\n\n') : []
      case 'response.reasoning_summary_text.delta':
      case 'response.reasoning_text.delta':
        return tell(delta)
      case 'response.output_item.done':
        this.#item = item ?? undefined
        return []
      default:
        return []
    }
  }

  parts(): AssistantMessage['content'] {
    const item = this.#item
    return item && holdsReasoning(item) ? [reasoningPart(this.#model, item as JsonValue)] : []
  }
}

function tell(text: unknown): ModelEvent[] {
  return typeof text === 'string' && text !== '' ? [{ type: 'reasoning-delta', text }] : []
}

/** Without its content, encrypted or not, an item is a name for what the server was asked not to keep. */
function holdsReasoning({ encrypted_content, content }: EventItem): boolean {
  return Boolean(encrypted_content) || (Array.isArray(content) && content.length > 0)
}
