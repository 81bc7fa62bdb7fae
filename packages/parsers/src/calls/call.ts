import type { InvalidAction } from '@codeact/spec'

/** One native tool call while it is read. */
export interface Call {
  /** All of it has come, so that it was not cut off. */
  readonly isWhole: boolean
  read(json: string): void
  /** No more comes. `isCut`: the reply ended in the middle of it. */
  end(isCut: boolean): void
}

/** `reason`: for the model. */
export function unreadable(callId: string, reason: string, json: string): InvalidAction {
  return { type: 'invalid', reason, text: json, callId }
}

export const CUT_OFF = 'Your reply ran out of tokens inside this call, so nothing of it was run. Call again, with less.'
