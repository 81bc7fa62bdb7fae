import type { EndedReply, LeftReply, ReplyReader } from '@codeact/model'
import type { ModelEvent } from '@codeact/spec'
import type { Choice, Chunk, ChunkUsage, Delta } from './chunk.ts'
import { finishOf } from './finish.ts'
import { type CallDraft, isWholeCall, ToolCallAssembly } from './tool-call-assembly.ts'
import { usageOf } from './usage.ts'

type TextDraft = { readonly type: 'text'; text: string }

/** Reads the chunks of one reply: events as they come, and the whole message at the end. */
export class ChatReader implements ReplyReader<Chunk> {
  readonly #parts: (TextDraft | CallDraft)[] = []
  readonly #calls = new ToolCallAssembly((call) => this.#parts.push(call))
  #usage: ChunkUsage | undefined
  #reason = ''
  #stopSequence = false
  #refusal = false

  get isWhole(): boolean {
    return this.#reason !== ''
  }

  read(chunk: Chunk): ModelEvent[] {
    this.#usage = chunk.usage ?? this.#usage
    const choice = chunk.choices?.[0] // the chunk with the usage has none
    if (!choice) return []
    this.#readEnd(choice)
    return choice.delta ? this.#readDelta(choice.delta) : []
  }

  end(): EndedReply {
    const finish = finishOf(this.#reason, {
      stopSequence: this.#stopSequence,
      refusal: this.#refusal,
      toolCalls: this.#calls.count > 0,
    })
    const reason = this.#reason && `finish_reason ${JSON.stringify(this.#reason)}`
    const content = this.#parts.map((part) => ({ ...part }))
    return { events: this.#calls.end(), content, finish, reason, usage: usageOf(this.#usage) }
  }

  /** Nothing says that a call is whole, but its arguments: they are an object. */
  leave(): LeftReply {
    const content = this.#parts.filter((part) => part.type === 'text' || isWholeCall(part)).map((part) => ({ ...part }))
    return { events: this.#calls.end(isWholeCall), content, usage: usageOf(this.#usage) }
  }

  #readEnd(choice: Choice): void {
    this.#reason = choice.finish_reason || this.#reason
    this.#stopSequence ||= typeof choice.stop_reason === 'string'
  }

  #readDelta(delta: Delta): ModelEvent[] {
    const events: ModelEvent[] = []
    // Servers in transition send the same reasoning under both names.
    const reasoning = delta.reasoning_content || delta.reasoning
    if (isText(reasoning)) events.push({ type: 'reasoning-delta', text: reasoning })
    for (const text of [delta.content, delta.refusal]) {
      if (isText(text)) events.push(this.#text(text))
    }
    this.#refusal ||= isText(delta.refusal)
    for (const call of delta.tool_calls ?? []) events.push(...this.#calls.read(call))
    return events
  }

  #text(text: string): ModelEvent {
    const last = this.#parts.at(-1)
    if (last?.type === 'text') last.text += text
    else this.#parts.push({ type: 'text', text })
    return { type: 'text-delta', text }
  }
}

/** False for a list of parts too, which some servers stream in place of text. */
function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}
