/** What is read of a streamed chunk. Servers leave out, null or add what they like: nothing here is certain. */
export interface Chunk {
  readonly choices?: readonly Choice[] | null
  readonly usage?: ChunkUsage | null
}

export interface Choice {
  readonly delta?: Delta | null
  readonly finish_reason?: string | null
  /** vLLM: the stop sequence that ended the reply. */
  readonly stop_reason?: unknown
}

export interface Delta {
  readonly content?: string | null
  readonly refusal?: string | null
  readonly reasoning_content?: string | null
  readonly reasoning?: string | null
  readonly tool_calls?: readonly ToolCallDelta[] | null
}

export interface ToolCallDelta {
  readonly index?: number
  readonly id?: string | null
  readonly function?: { readonly name?: string | null; readonly arguments?: string | null } | null
}

export interface ChunkUsage {
  readonly prompt_tokens?: number | null
  readonly completion_tokens?: number | null
  readonly prompt_tokens_details?: {
    readonly cached_tokens?: number | null
    readonly cache_write_tokens?: number | null
  } | null
  readonly completion_tokens_details?: { readonly reasoning_tokens?: number | null } | null
}
