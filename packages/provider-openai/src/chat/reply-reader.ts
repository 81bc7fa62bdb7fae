import type { AssistantMessage, ModelEvent } from '@codeact/spec'
import type { ReplyReader } from '../api.ts'
import { streamCut } from '../errors.ts'
import type { Choice, Chunk, ChunkUsage, Delta } from './chunk.ts'
import { finishOf } from './finish.ts'
import { type CallDraft, ToolCallAssembly } from './tool-call-assembly.ts'
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

  /** The events that end the reply. Throws `MODEL_STREAM_CUT` when the server never ended it. */
  end(): ModelEvent[] {
    const finish = finishOf(this.#reason, {
      stopSequence: this.#stopSequence,
      refusal: this.#refusal,
      toolCalls: this.#calls.count > 0,
    })
    if (!finish) throw streamCut(this.#reason && `finish_reason ${JSON.stringify(this.#reason)}`)
    return [...this.#calls.end(), { type: 'end', message: this.#message(), finish, usage: usageOf(this.#usage) }]
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

  #message(): AssistantMessage {
    return { role: 'assistant', content: this.#parts.map((part) => ({ ...part })) }
  }
}

/** False for a list of parts too, which some servers stream in place of text. */
function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}
