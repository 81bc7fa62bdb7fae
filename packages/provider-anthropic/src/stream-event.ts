/** What is read of a streamed event. Servers leave out, null or add what they like: nothing here is certain. */
export interface StreamEvent {
  readonly type: string
  readonly index?: number
  readonly message?: { readonly usage?: EventUsage | null } | null
  readonly content_block?: StartedBlock | null
  readonly delta?: Delta | null
  readonly usage?: EventUsage | null
}

/** A block as it starts. It may hold more: blocks that are not read are kept as they are. */
export interface StartedBlock {
  readonly type: string
  readonly id?: string
  readonly name?: string
  readonly input?: unknown
  readonly text?: string
  readonly thinking?: string
  readonly signature?: string
}

export interface Delta {
  readonly type?: string
  readonly text?: string
  readonly thinking?: string
  readonly signature?: string
  readonly partial_json?: string
  readonly stop_reason?: string | null
}

export interface EventUsage {
  readonly input_tokens?: number | null
  readonly cache_read_input_tokens?: number | null
  readonly cache_creation_input_tokens?: number | null
  readonly output_tokens?: number | null
  readonly output_tokens_details?: { readonly thinking_tokens?: number | null } | null
}
