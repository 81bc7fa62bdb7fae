import { setTimeout as sleep } from 'node:timers/promises'
import { type AssistantMessage, CodeActError, type Finish, type ModelEvent, type Usage } from '@codeact/spec'

/** One reply, whole. */
export interface Reply {
  readonly message: AssistantMessage
  readonly finish: Finish
  readonly usage: Usage
}

/** A word and the space behind it; a long word in parts. */
const PIECE = /\S{1,12}\s*|\s+/gu

/** A reply as a model would stream it: piece by piece, the same pieces each time. Reasoning is for its provider alone. */
export async function* play(
  reply: Reply,
  delayMs = 0,
  signal?: AbortSignal,
): AsyncGenerator<ModelEvent, void, undefined> {
  for (const event of pieces(reply.message)) {
    if (delayMs > 0) await sleep(delayMs, undefined, { signal }).catch(() => {})
    if (signal?.aborted) throw new CodeActError('MODEL_ABORTED', 'The model call was aborted.')
    yield event
  }
  yield { type: 'end', ...reply }
}

function* pieces({ content }: AssistantMessage): Generator<ModelEvent, void, undefined> {
  for (const part of content) {
    if (part.type === 'text') {
      for (const text of part.text.match(PIECE) ?? []) yield { type: 'text-delta', text }
    } else if (part.type === 'tool-call') {
      const { callId, name, json } = part
      yield { type: 'tool-call-start', callId, name }
      for (const piece of json.match(PIECE) ?? []) yield { type: 'tool-call-delta', callId, json: piece }
      yield { type: 'tool-call-end', callId }
    }
  }
}
