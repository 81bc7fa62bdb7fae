import type { Finish } from '@codeact/spec'

/** The API's own words, and those that compatible servers use for the same. */
const FINISH: Readonly<Record<string, Finish>> = {
  stop: 'stop',
  eos: 'stop',
  eos_token: 'stop',
  end_turn: 'stop',
  stop_sequence: 'stop-sequence',
  length: 'length',
  max_tokens: 'length',
  model_length: 'length',
  tool_calls: 'tool-calls',
  function_call: 'tool-calls',
  content_filter: 'refusal',
}

/**
 * Why the reply ended; undefined for a reason that is no end of a reply (`error`, `abort`, …).
 *
 * The API says `stop` for a stop sequence too. It stays `stop` unless the server tells which sequence it was (vLLM): a block
 * that is still open says as much.
 */
export function finishOf(
  reason: string,
  seen: { readonly stopSequence: boolean; readonly refusal: boolean; readonly toolCalls: boolean },
): Finish | undefined {
  const finish = Object.hasOwn(FINISH, reason) ? FINISH[reason] : undefined
  if (finish !== 'stop') return finish
  if (seen.refusal) return 'refusal'
  if (seen.toolCalls) return 'tool-calls'
  return seen.stopSequence ? 'stop-sequence' : 'stop'
}
