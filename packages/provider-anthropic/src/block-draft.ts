import { type AssistantMessage, type JsonValue, type ModelEvent, newId } from '@codeact/spec'
import { PROVIDER } from './encode-parts.ts'
import type { Delta, StartedBlock } from './stream-event.ts'

type Part = AssistantMessage['content'][number]

/** One block of a reply, as far as it has come. */
export interface BlockDraft {
  start(): ModelEvent[]
  read(delta: Delta): ModelEvent[]
  /** True while there is too little of it to be kept: all but text go back whole or not at all. */
  readonly isHalf: boolean
  /** May come twice: by the server, and at the end of the reply. */
  end(): ModelEvent[]
  /** The whole; undefined where there is nothing to keep. */
  part(model: string): Part | undefined
}

export function draftOf(block: StartedBlock): BlockDraft {
  if (block.type === 'text') return new TextDraft(block.text ?? '')
  return block.type === 'tool_use' ? new CallDraft(block) : new OwnDraft(block)
}

class TextDraft implements BlockDraft {
  readonly isHalf = false
  #text: string

  constructor(text: string) {
    this.#text = text
  }

  start(): ModelEvent[] {
    return told('text-delta', this.#text)
  }

  read({ text = '' }: Delta): ModelEvent[] {
    this.#text += text
    return told('text-delta', text)
  }

  end(): ModelEvent[] {
    return []
  }

  part(): Part | undefined {
    return this.#text === '' ? undefined : { type: 'text', text: this.#text }
  }
}

class CallDraft implements BlockDraft {
  readonly #callId: string
  readonly #name: string
  readonly #input: unknown
  #json = ''
  isHalf = true

  constructor({ id, name, input }: StartedBlock) {
    this.#callId = id || newId('call')
    this.#name = name ?? ''
    this.#input = input
  }

  start(): ModelEvent[] {
    return [{ type: 'tool-call-start', callId: this.#callId, name: this.#name }]
  }

  read({ partial_json = '' }: Delta): ModelEvent[] {
    if (partial_json === '') return []
    this.#json += partial_json
    return [{ type: 'tool-call-delta', callId: this.#callId, json: partial_json }]
  }

  end(): ModelEvent[] {
    if (!this.isHalf) return []
    this.isHalf = false
    // A call without arguments streams none; some servers send all of them at the start.
    const rest = this.#json === '' ? this.read({ partial_json: JSON.stringify(this.#input ?? {}) }) : []
    return [...rest, { type: 'tool-call-end', callId: this.#callId }]
  }

  part(): Part {
    return { type: 'tool-call', callId: this.#callId, name: this.#name, json: this.#json }
  }
}

/** Thinking, and what the vendor's own tools did: kept as it came, field by field, to go back the same. */
class OwnDraft implements BlockDraft {
  isHalf = true
  readonly #block: Record<string, unknown>
  #json = ''

  constructor(block: StartedBlock) {
    this.#block = { ...block }
  }

  start(): ModelEvent[] {
    return told('reasoning-delta', this.#block.thinking)
  }

  read({ type, thinking = '', signature = '', partial_json = '' }: Delta): ModelEvent[] {
    if (type === 'thinking_delta') this.#block.thinking = `${this.#block.thinking ?? ''}${thinking}`
    if (type === 'signature_delta') this.#block.signature = signature
    this.#json += partial_json
    return told('reasoning-delta', thinking)
  }

  end(): ModelEvent[] {
    this.isHalf = false
    return []
  }

  /** Thinking that was cut off before its signature cannot go back. */
  part(model: string): Part | undefined {
    const { type, signature } = this.#block
    if (type === 'thinking' && !signature) return undefined
    const opaque = { ...this.#block, ...(this.#json === '' ? {} : { input: parsed(this.#json) }) } as JsonValue
    return { type: 'reasoning', provider: PROVIDER, model, opaque }
  }
}

function told(type: 'text-delta' | 'reasoning-delta', text: unknown): ModelEvent[] {
  return typeof text === 'string' && text !== '' ? [{ type, text }] : []
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return {}
  }
}

/** True for the use of one of the vendor's own tools whose result is not among `all`: the API refuses the one without the other. */
export function isUnanswered(part: Part, all: readonly Part[]): boolean {
  const { type, id } = opaqueOf(part)
  return (
    typeof type === 'string' && type.endsWith('_tool_use') && !all.some((other) => opaqueOf(other).tool_use_id === id)
  )
}

function opaqueOf(part: Part): Readonly<Record<string, unknown>> {
  return part.type === 'reasoning' ? (part.opaque as Readonly<Record<string, unknown>>) : {}
}
