import type { AssistantMessage, Message, UserMessage } from '@codeact/spec'

/** The conversation so far. It only ever grows at its end, so that providers' prompt caches hold. */
export class Transcript {
  readonly #messages: Message[] = []

  get messages(): readonly Message[] {
    return [...this.#messages]
  }

  push(message: Message): void {
    this.#messages.push(message)
  }
}

export function taskMessage(text: string): UserMessage {
  return { role: 'user', kind: 'task', content: [{ type: 'text', text }] }
}

/** Something for the model to know that no code printed. */
export function noteMessage(text: string): UserMessage {
  return { role: 'user', kind: 'observation', content: [{ type: 'text', text }] }
}

/** The message with a closing tag put back that a stop sequence ate. */
export function withMissing(message: AssistantMessage, missing: string): AssistantMessage {
  if (missing === '') return message
  const last = message.content.at(-1)
  if (last?.type !== 'text') return { ...message, content: [...message.content, { type: 'text', text: missing }] }
  return { ...message, content: [...message.content.slice(0, -1), { type: 'text', text: last.text + missing }] }
}
