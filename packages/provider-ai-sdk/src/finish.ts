import type { Finish } from '@codeact/spec'
import { isRecord, type StreamPart } from './stream-part.ts'

const UNIFIED: Readonly<Record<string, Finish>> = {
  stop: 'stop',
  length: 'length',
  'content-filter': 'refusal',
  'tool-calls': 'tool-calls',
}

/** Vendors' own words that say more than the unified ones, or that a provider did not know. */
const RAW: Readonly<Record<string, Finish>> = {
  stop_sequence: 'stop-sequence',
  pause_turn: 'pause',
  refusal: 'refusal',
  model_context_window_exceeded: 'length',
  eos: 'stop',
  eos_token: 'stop',
  end_turn: 'stop',
  max_tokens: 'length',
  model_length: 'length',
}

/** Why the reply ended, and in whose words. A reason that is no end of a reply (`error`, `unknown`, …) has no finish. */
export function finishOf({ finishReason, providerMetadata }: StreamPart): { finish?: Finish; reason: string } {
  const { unified, raw } = isRecord(finishReason) ? finishReason : { unified: finishReason, raw: undefined }
  const reason = String(raw ?? unified ?? '')
  const finish = lookUp(RAW, raw) ?? lookUp(UNIFIED, unified)
  return { finish: finish === 'stop' && hitStopSequence(providerMetadata) ? 'stop-sequence' : finish, reason }
}

function lookUp(table: Readonly<Record<string, Finish>>, key: unknown): Finish | undefined {
  return typeof key === 'string' && Object.hasOwn(table, key) ? table[key] : undefined
}

/** A vendor that tells which sequence it was (Anthropic). */
function hitStopSequence(metadata: unknown): boolean {
  if (!isRecord(metadata)) return false
  return Object.values(metadata).some((said) => isRecord(said) && typeof said.stopSequence === 'string')
}
