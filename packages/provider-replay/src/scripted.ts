import {
  type AssistantMessage,
  CodeActError,
  type Finish,
  type LanguageModel,
  type ModelRequest,
  type Usage,
} from '@codeact/spec'
import { sinceLastReply } from './conversation.ts'
import { play, type Reply } from './play.ts'

/** A reply's text, or more of it. `finish` is `stop` by default, and `usage` nothing. */
export type ScriptedReply =
  | string
  | { readonly message: AssistantMessage | string; readonly finish?: Finish; readonly usage?: Usage }

/**
 * A model that says these things in this order, whatever it is told: for tests and examples. Each conversation starts with
 * the first reply. One that asks for more than there is gets `REPLAY_EXHAUSTED`.
 */
export function scripted(replies: readonly ScriptedReply[]): LanguageModel {
  return {
    id: 'scripted',
    async *stream({ messages, signal }: ModelRequest) {
      const reply = replies[sinceLastReply(messages).replies]
      if (reply === undefined) throw usedUp(replies.length)
      yield* play(whole(reply), 0, signal)
    },
  }
}

function whole(reply: ScriptedReply): Reply {
  if (typeof reply === 'string') return whole({ message: reply })
  const { message, finish = 'stop', usage = { inputTokens: 0, outputTokens: 0 } } = reply
  if (typeof message !== 'string') return { message, finish, usage }
  return { message: { role: 'assistant', content: [{ type: 'text', text: message }] }, finish, usage }
}

function usedUp(count: number): CodeActError {
  return new CodeActError('REPLAY_EXHAUSTED', `The script is used up: it has ${count} replies.`, {
    hint: 'Give scripted() one more reply.',
  })
}
