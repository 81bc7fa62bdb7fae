import type { JsonValue } from './json.ts'

/** Everything that a conversation with a model is made of. A transcript only ever grows at its end. */
export type Message = SystemMessage | UserMessage | AssistantMessage | ToolMessage

export interface SystemMessage {
  readonly role: 'system'
  readonly content: string
}

/** What the user asked (`task`), what running code gave (`observation`), or what stands for messages left out (`summary`). */
export interface UserMessage {
  readonly role: 'user'
  readonly kind: 'task' | 'observation' | 'summary'
  /** Of a summary: how many of the model's replies it stands for. */
  readonly replies?: number
  readonly content: readonly (TextPart | ImagePart)[]
}

/** What the model said, in the order in which it said it. */
export interface AssistantMessage {
  readonly role: 'assistant'
  readonly content: readonly (TextPart | ToolCallPart | ReasoningPart)[]
}

/** The result of a native tool call, answered to the call with the same `callId`. */
export interface ToolMessage {
  readonly role: 'tool'
  readonly callId: string
  readonly content: readonly (TextPart | ImagePart)[]
  readonly isError?: boolean
}

export interface TextPart {
  readonly type: 'text'
  readonly text: string
}

export interface ImagePart {
  readonly type: 'image'
  /** For example `image/png`. */
  readonly mediaType: string
  /** The image's bytes, base64. */
  readonly data: string
}

export interface ToolCallPart {
  readonly type: 'tool-call'
  readonly callId: string
  readonly name: string
  /** The arguments exactly as the model wrote them: JSON text, which may be malformed. */
  readonly json: string
}

/**
 * A model's reasoning. It belongs to the provider that made it: nobody else reads `opaque`, and it goes back to the same
 * provider and model untouched and in order. Parsers never see it.
 */
export interface ReasoningPart {
  readonly type: 'reasoning'
  readonly provider: string
  readonly model: string
  readonly opaque: JsonValue
}
