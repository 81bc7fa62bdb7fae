/** What is read of a streamed event. Servers leave out, null or add what they like: nothing here is certain. */
export interface ResponsesEvent {
  readonly type?: string
  readonly output_index?: number
  readonly summary_index?: number
  readonly delta?: unknown
  readonly item?: EventItem | null
  /** Of the events that end the reply. */
  readonly response?: FinalResponse | null
  /** Of the event `error`. */
  readonly code?: string | null
  readonly message?: string | null
}

export interface EventItem {
  readonly type?: string
  readonly call_id?: string | null
  readonly name?: string | null
  readonly arguments?: unknown
  readonly content?: unknown
  readonly encrypted_content?: unknown
  readonly phase?: string | null
}

export interface FinalResponse {
  readonly error?: { readonly code?: string | null; readonly message?: string | null } | null
  readonly incomplete_details?: { readonly reason?: string | null } | null
  readonly usage?: ResponsesUsage | null
}

export interface ResponsesUsage {
  readonly input_tokens?: number | null
  readonly output_tokens?: number | null
  readonly input_tokens_details?: {
    readonly cached_tokens?: number | null
    readonly cache_write_tokens?: number | null
  } | null
  readonly output_tokens_details?: { readonly reasoning_tokens?: number | null } | null
}
