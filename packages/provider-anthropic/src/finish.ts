import type { Finish } from '@codeact/spec'

/** A full context window cuts a reply just as `max_tokens` does; what does not fit is then told by the next call's error. */
const FINISH: Readonly<Record<string, Finish>> = {
  end_turn: 'stop',
  stop_sequence: 'stop-sequence',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  tool_use: 'tool-calls',
  pause_turn: 'pause',
  refusal: 'refusal',
}

/** Why the reply ended; undefined for a reason that is not known, and might be no end at all. */
export function finishOf(reason: string): Finish | undefined {
  return Object.hasOwn(FINISH, reason) ? FINISH[reason] : undefined
}
