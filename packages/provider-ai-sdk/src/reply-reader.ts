import type { AssistantMessage, ModelEvent, ReasoningPart, TextPart, ToolCallPart } from '@codeact/spec'
import type { Draft } from './draft.ts'
import { notAStream, StreamFault, streamCut } from './errors.ts'
import { finishOf } from './finish.ts'
import { metadataOf, toPart } from './opaque.ts'
import type { StreamPart } from './stream-part.ts'
import { ToolCalls } from './tool-calls.ts'
import { usageOf } from './usage.ts'

/** What a page or a document comes as, in place of a stream. */
const DOCUMENT = /^(text\/(html|plain)|application\/json)\b/

/** Reads the parts of one reply: events as they come, and the whole message at the end. */
export class ReplyReader {
  readonly #model: string
  readonly #contentType: string
  readonly #drafts: Draft[] = []
  readonly #open = new Map<string, Draft>()
  readonly #calls = new ToolCalls((call) => this.#drafts.push(call))
  #finish: StreamPart | undefined

  /** @param contentType of the answer, where the provider tells it */
  constructor(model: string, contentType = '') {
    this.#model = model
    this.#contentType = contentType
  }

  read(part: StreamPart): readonly ModelEvent[] {
    switch (part.type) {
      case 'text-start':
      case 'text-delta':
      case 'text-end':
        return this.#say('text', part)
      case 'reasoning-start':
      case 'reasoning-delta':
      case 'reasoning-end':
        return this.#say('reasoning', part)
      case 'finish':
        this.#finish = part
        return []
      case 'error':
        this.#checkStream()
        throw new StreamFault(part.error)
      default:
        return this.#calls.read(part)
    }
  }

  /**
   * The events that end the reply. Throws `MODEL_STREAM_CUT` when the model never ended it, `MODEL_BAD_RESPONSE` when a page
   * or a document came in its place: that reads as a stream without a word.
   */
  end(): readonly ModelEvent[] {
    this.#checkStream()
    if (this.#finish === undefined) throw streamCut('')
    const { finish, reason } = finishOf(this.#finish)
    if (finish === undefined) throw streamCut(`the finish reason is ${JSON.stringify(reason)}`)
    return [...this.#calls.end(), { type: 'end', message: this.#message(), finish, usage: usageOf(this.#finish) }]
  }

  #checkStream(): void {
    const isDocument = this.#drafts.length === 0 && DOCUMENT.test(this.#contentType)
    if (isDocument) throw notAStream(this.#model, this.#contentType)
  }

  #say(kind: 'text' | 'reasoning', part: StreamPart): readonly ModelEvent[] {
    const draft = this.#draft(kind, part)
    draft.metadata = metadataOf(part.providerMetadata) ?? draft.metadata // the last one is whole
    if (typeof part.delta !== 'string' || part.delta === '') return []
    draft.text += part.delta
    return [{ type: `${kind}-delta`, text: part.delta }]
  }

  #draft(kind: 'text' | 'reasoning', { type, id = '' }: StreamPart): Draft {
    const key = `${kind} ${id}`
    const known = type.endsWith('-start') ? undefined : this.#open.get(key)
    if (known !== undefined) return known
    const draft: Draft = { kind, id, name: '', text: '', metadata: undefined }
    this.#drafts.push(draft)
    this.#open.set(key, draft)
    return draft
  }

  #message(): AssistantMessage {
    return { role: 'assistant', content: this.#drafts.flatMap((draft) => partsOf(draft, this.#model)) }
  }
}

/** What the provider said of a text or a call stands before it, as a part of its own. */
function partsOf(
  { kind, id, name, text, metadata }: Draft,
  model: string,
): (ReasoningPart | TextPart | ToolCallPart)[] {
  if (kind === 'reasoning') return [toPart(model, { kind, text, ...(metadata === undefined ? {} : { metadata }) })]
  if (kind === 'text' && text === '' && metadata === undefined) return []
  const part = kind === 'text' ? { type: kind, text } : { type: kind, callId: id, name, json: text }
  return metadata === undefined ? [part] : [toPart(model, { kind: 'metadata', metadata }), part]
}
