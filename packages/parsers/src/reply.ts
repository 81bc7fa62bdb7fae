import type { Action, AnswerAction, Message, Observation, UserMessage } from '@codeact/spec'

type Answered = Exclude<Action, AnswerAction>

/** An observation as the user's next message: its text, then the images. */
export function replyAsUser(_action: Answered, observation: Observation): UserMessage {
  return { role: 'user', kind: 'observation', content: contentOf(observation) }
}

/** An observation as the result of the tool call that the action came in. */
export function replyAsResult(action: Answered, observation: Observation): Message {
  const callId = action.callId
  if (callId === undefined) return replyAsUser(action, observation)
  return { role: 'tool', callId, content: contentOf(observation), ...(observation.isError ? { isError: true } : {}) }
}

function contentOf({ text, images }: Observation): UserMessage['content'] {
  return [{ type: 'text', text }, ...images]
}
