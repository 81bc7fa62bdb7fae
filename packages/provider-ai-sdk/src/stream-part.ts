/** What is read of a stream part, in all versions of the specification. Parts of other kinds pass by: nothing is certain. */
export interface StreamPart {
  readonly type: string
  readonly id?: string
  readonly delta?: unknown
  readonly providerMetadata?: unknown
  readonly toolCallId?: string
  readonly toolName?: string
  readonly input?: unknown
  /** The vendor ran this tool itself. */
  readonly providerExecuted?: boolean
  readonly finishReason?: unknown
  readonly usage?: unknown
  readonly warnings?: unknown
  readonly error?: unknown
}

export function isPart(value: unknown): value is StreamPart {
  return isRecord(value) && typeof value.type === 'string'
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
