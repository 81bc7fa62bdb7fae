import type { AssistantMessage, JsonValue, ReasoningPart } from '@codeact/spec'

const PROVIDER = 'openai'

/** Newer models label what they say as `commentary` or `final_answer`, and want the label back. It stands before the text. */
interface PhaseMark {
  readonly type: 'message'
  readonly phase: string
}

export function reasoningPart(model: string, opaque: JsonValue): ReasoningPart {
  return { type: 'reasoning', provider: PROVIDER, model, opaque }
}

export function phasePart(model: string, phase: string): ReasoningPart {
  const mark: PhaseMark = { type: 'message', phase }
  return reasoningPart(model, { ...mark })
}

export function isOwn(part: ReasoningPart, model: string): boolean {
  return part.provider === PROVIDER && part.model === model
}

/** The label that a part is for the text behind it, as a field; undefined for any other part. */
export function phaseOf(
  part: AssistantMessage['content'][number] | undefined,
): { readonly phase: 'commentary' | 'final_answer' } | undefined {
  if (part?.type !== 'reasoning') return undefined
  const { type, phase } = part.opaque as { readonly type?: unknown; readonly phase?: unknown }
  return type === 'message' ? { phase: phase as 'commentary' | 'final_answer' } : undefined
}
