import type { JsonValue, ReasoningPart } from '@codeact/spec'
import { isRecord } from './stream-part.ts'

/** Whose reasoning parts are ours. */
const PROVIDER = 'ai-sdk'

/** What a provider said of a part of its reply, by vendor; it goes back as `providerOptions`, untouched. */
export type Metadata = Readonly<Record<string, JsonValue>>

/**
 * What is kept of a reply for the model itself: its reasoning, or what its provider said of the text or tool call that
 * follows (the id of an item, a signature).
 */
export type Opaque =
  | { readonly kind: 'reasoning'; readonly text: string; readonly metadata?: Metadata }
  | { readonly kind: 'metadata'; readonly metadata: Metadata }

export function toPart(model: string, opaque: Opaque): ReasoningPart {
  return { type: 'reasoning', provider: PROVIDER, model, opaque: opaque as unknown as JsonValue }
}

/** Undefined for what another provider or model thought: it is nothing to this one. */
export function fromPart(model: string, part: ReasoningPart): Opaque | undefined {
  const isOurs = part.provider === PROVIDER && part.model === model && isRecord(part.opaque)
  return isOurs ? (part.opaque as unknown as Opaque) : undefined
}

export function metadataOf(value: unknown): Metadata | undefined {
  return isRecord(value) && Object.keys(value).length > 0 ? (value as Metadata) : undefined
}
