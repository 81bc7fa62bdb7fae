import type { EndedReply, LeftReply, ReplyReader } from '@codeact/model'
import type { AssistantMessage, ModelEvent, ReasoningPart, TextPart, ToolCallPart } from '@codeact/spec'
import type { Draft } from './draft.ts'
import { finishOf } from './finish.ts'
import { metadataOf, toPart } from './opaque.ts'
import { leavesOutStop } from './stop-hint.ts'
import type { StreamPart } from './stream-part.ts'
import { ToolCalls } from './tool-calls.ts'
import { usageOf } from './usage.ts'

/** Reads the parts of one reply: events as they come, and the whole message at the end. */
export class PartReader implements ReplyReader<StreamPart> {
  readonly #model: string
  readonly #onNoStop: () => void
  readonly #drafts: Draft[] = []
  readonly #open = new Map<string, Draft>()
  readonly #calls = new ToolCalls((call) => this.#drafts.push(call))
  #finish: StreamPart = { type: 'finish' }

  /** @param onNoStop called when the provider says that it left the stop sequences out */
  constructor(model: string, onNoStop: () => void) {
    this.#model = model
    this.#onNoStop = onNoStop
  }

  get isWhole(): boolean {
    return finishOf(this.#finish).finish !== undefined
  }

  read(part: StreamPart): readonly ModelEvent[] {
    switch (part.type) {
      case 'stream-start':
        if (leavesOutStop(part.warnings)) this.#onNoStop()
        return []
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
        throw part.error
      default:
        return this.#calls.read(part)
    }
  }

  end(): EndedReply {
    const { finish, reason } = finishOf(this.#finish)
    return {
      events: this.#calls.end(),
      content: this.#content(this.#drafts),
      finish,
      reason: reason && `the finish reason is ${JSON.stringify(reason)}`,
      usage: usageOf(this.#finish),
    }
  }

  /** Of a text that has not ended, what its provider said is left out: it may point at the whole. */
  leave(): LeftReply {
    const kept = this.#drafts.filter((draft) => draft.kind === 'text' || draft.isWhole)
    const content = kept.map((draft) => (draft.isWhole ? draft : { ...draft, metadata: undefined }))
    return { content: this.#content(content), usage: usageOf(this.#finish) }
  }

  #say(kind: 'text' | 'reasoning', part: StreamPart): readonly ModelEvent[] {
    const draft = this.#draft(kind, part)
    draft.metadata = metadataOf(part.providerMetadata) ?? draft.metadata // the last one is whole
    draft.isWhole = part.type.endsWith('-end')
    if (typeof part.delta !== 'string' || part.delta === '') return []
    draft.text += part.delta
    return [{ type: `${kind}-delta`, text: part.delta }]
  }

  #draft(kind: 'text' | 'reasoning', { type, id = '' }: StreamPart): Draft {
    const key = `${kind} ${id}`
    const known = type.endsWith('-start') ? undefined : this.#open.get(key)
    if (known !== undefined) return known
    const draft: Draft = { kind, id, name: '', text: '', metadata: undefined, isWhole: false }
    this.#drafts.push(draft)
    this.#open.set(key, draft)
    return draft
  }

  #content(drafts: readonly Draft[]): AssistantMessage['content'] {
    return drafts.flatMap((draft) => partsOf(draft, this.#model))
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
