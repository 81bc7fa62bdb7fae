import type { CodeAction, Observation, UserMessage } from '@codeact/spec'

/** An observation as the user's next message: its text, then the images. */
export function replyAsUser(_action: CodeAction, observation: Observation): UserMessage {
  const text = { type: 'text' as const, text: observation.text }
  return { role: 'user', kind: 'observation', content: [text, ...observation.images] }
}
