import type { ModelEvent } from '@codeact/spec'
import type { Draft } from './draft.ts'
import { metadataOf } from './opaque.ts'
import type { StreamPart } from './stream-part.ts'

/**
 * Puts tool calls together. Some models stream a call's input and then give the call, some give the call alone, at once. A
 * tool that the vendor runs itself is no call to anybody here.
 */
export class ToolCalls {
  readonly #open = new Map<string, Draft>()
  readonly #foreign = new Set<string>()
  readonly #onCall: (call: Draft) => void

  constructor(onCall: (call: Draft) => void) {
    this.#onCall = onCall
  }

  read(part: StreamPart): readonly ModelEvent[] {
    const { type, id = part.toolCallId ?? '' } = part
    if (part.providerExecuted === true) this.#foreign.add(id)
    if (this.#foreign.has(id)) return []
    if (type === 'tool-input-start') return this.#start(id, part)
    if (type === 'tool-input-delta') return this.#add(id, part.delta)
    return type === 'tool-call' ? this.#whole(part.toolCallId ?? '', part) : []
  }

  /** Calls that were cut off with the reply. */
  end(): readonly ModelEvent[] {
    const left = [...this.#open.keys()]
    this.#open.clear()
    return left.map((callId) => ({ type: 'tool-call-end', callId }))
  }

  #start(callId: string, { toolName = '', providerMetadata }: StreamPart): readonly ModelEvent[] {
    const metadata = metadataOf(providerMetadata)
    const call: Draft = { kind: 'tool-call', id: callId, name: toolName, text: '', metadata, isWhole: false }
    this.#open.set(callId, call)
    this.#onCall(call)
    return [{ type: 'tool-call-start', callId, name: toolName }]
  }

  #add(callId: string, json: unknown): readonly ModelEvent[] {
    const call = this.#open.get(callId)
    if (call === undefined || typeof json !== 'string' || json === '') return []
    call.text += json
    return [{ type: 'tool-call-delta', callId, json }]
  }

  /** What was streamed of the input stays; what was not is added. */
  #whole(callId: string, part: StreamPart): readonly ModelEvent[] {
    const started = this.#open.has(callId) ? [] : this.#start(callId, part)
    const call = this.#open.get(callId)
    const json = typeof part.input === 'string' ? part.input : JSON.stringify(part.input ?? {})
    const rest = call !== undefined && json.startsWith(call.text) ? json.slice(call.text.length) : ''
    if (call !== undefined) {
      call.metadata = metadataOf(part.providerMetadata) ?? call.metadata
      call.isWhole = true
    }
    const added = this.#add(callId, rest)
    this.#open.delete(callId)
    return [...started, ...added, { type: 'tool-call-end', callId }]
  }
}
