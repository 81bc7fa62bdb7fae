import type { LanguageModel, Message, Usage } from '@codeact/spec'

/**
 * What becomes of a transcript that grows too long. A memory acts at once on much of it, and seldom: each time, what a
 * provider has cached of the transcript is lost.
 */
export interface Memory {
  readonly name: string
  /** Tokens of the transcript, estimated, above which `compact` is asked. */
  readonly over: number
  /** The model that it asks, where it asks one: its calls count as the run's. */
  readonly model?: LanguageModel
  /** A shorter transcript; undefined where nothing can be left out. */
  compact(messages: readonly Message[], tools: MemoryTools): Promise<Compacted | undefined>
}

export interface MemoryTools {
  readonly signal: AbortSignal
  count(message: Message): number
}

export interface Compacted {
  /** What the model is no longer shown. It goes into a file that code can read. */
  readonly leftOut: string
  readonly usage?: Usage
  /** @param note what the model is to know of it: where the rest is, which variables there are; may be empty */
  messages(note: string): readonly Message[]
}

/** Nothing is ever left out. */
export function keepAll(): Memory {
  return { name: 'keep-all', over: Infinity, compact: async () => undefined }
}
