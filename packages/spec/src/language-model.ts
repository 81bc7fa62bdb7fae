import type { ToolDeclaration } from './action-parser.ts'
import type { AssistantMessage, Message } from './message.ts'

/** What speaks. One method; a caller that wants the whole reply drains the stream and takes its `end`. */
export interface LanguageModel {
  /** Provider and model, as a person would name them: `openai:gpt-5`. */
  readonly id: string
  /**
   * Streams one reply. The last event is always `end`; a stream that cannot reach it throws a `CodeActError`.
   * Leaving the loop early, or aborting `request.signal`, ends the request.
   */
  stream(request: ModelRequest): AsyncIterable<ModelEvent>
}

export interface ModelRequest {
  /** The transcript itself, which grows once the stream has ended: whoever keeps it longer keeps a copy. */
  readonly messages: readonly Message[]
  /** Native tools offered to the model. */
  readonly tools?: readonly ToolDeclaration[]
  /** A hint: the reader on this side decides where code ends, whether or not the vendor honours these. */
  readonly stop?: readonly string[]
  readonly signal?: AbortSignal
  /**
   * Aborts when the caller has heard enough: the model need not go on. The stream then ends with `end`, which has what came
   * and what was counted by then; or it goes on to its own end, where a model cannot be stopped.
   */
  readonly enough?: AbortSignal
}

export type ModelEvent =
  | { readonly type: 'text-delta' | 'reasoning-delta'; readonly text: string }
  | { readonly type: 'tool-call-start'; readonly callId: string; readonly name: string }
  | { readonly type: 'tool-call-delta'; readonly callId: string; readonly json: string }
  | { readonly type: 'tool-call-end'; readonly callId: string }
  | { readonly type: 'end'; readonly message: AssistantMessage; readonly finish: Finish; readonly usage: Usage }

/**
 * Why a model stopped speaking. `length`: it ran out of tokens, so what it was writing is cut. `pause`: the vendor asks to
 * be called again with the transcript as it is.
 */
export type Finish = 'stop' | 'stop-sequence' | 'length' | 'tool-calls' | 'refusal' | 'pause'

/** Tokens, as the vendor counted them. A count that a vendor does not give is absent, never guessed. */
export interface Usage {
  /** All input, cached or not. */
  readonly inputTokens: number
  /** All output, reasoning included. */
  readonly outputTokens: number
  /** The part of the input that was read from a prompt cache. */
  readonly cachedInputTokens?: number
  /** The part of the input that was written to a prompt cache. */
  readonly cacheWriteTokens?: number
  /** The part of the output that was reasoning. */
  readonly reasoningTokens?: number
  /** True where the reply was left before the vendor had counted all: these are the counts that it gave by then. */
  readonly isPartial?: boolean
}
