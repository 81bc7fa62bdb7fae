import type { JsonValue } from './json.ts'

/** What the model wants. A reply that could not be read is a value too: the model gets to see why. */
export type Action = CodeAction | ToolAction | AnswerAction | InvalidAction

export interface CodeAction {
  readonly type: 'code'
  /** Canonical language name (`python`, `javascript`, `bash`, …), or as the model wrote it when it is not a known one. */
  readonly language: string
  readonly code: string
  /** False when the reply ended inside the block. */
  readonly closed: boolean
  /** The native tool call that carried the code, when one did. */
  readonly callId?: string
}

/** A tool that the model called itself, beside code. */
export interface ToolAction {
  readonly type: 'tool'
  /** The native tool call that it is. */
  readonly callId: string
  readonly name: string
  /** As the model wrote it; not checked yet. */
  readonly input: JsonValue
}

export interface AnswerAction {
  readonly type: 'answer'
  readonly text: string
}

export interface InvalidAction {
  readonly type: 'invalid'
  /** One sentence for the model: what was wrong and how to write it instead. */
  readonly reason: string
  /** The part of the reply that could not be read. */
  readonly text: string
  /** The native tool call that could not be read, when it was one. */
  readonly callId?: string
}
