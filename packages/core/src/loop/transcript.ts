import type { AssistantMessage, Message, UserMessage } from '@codeact/spec'

const NO_RESULT = 'There is no result: the run ended before this call did.'

/**
 * The conversation so far. It only ever grows at its end, so that providers' prompt caches hold. Each native tool call has its
 * result before anything else is said: vendors refuse a transcript in which one has none.
 */
export class Transcript {
  readonly #messages: Message[] = []
  /** Calls that have no result yet. */
  readonly #calls = new Set<string>()

  get messages(): readonly Message[] {
    return [...this.#messages]
  }

  push(message: Message): void {
    if (message.role === 'tool') this.#calls.delete(message.callId)
    else this.#answerCalls()
    this.#messages.push(message)
    if (message.role === 'assistant') for (const callId of callsOf(message)) this.#calls.add(callId)
  }

  /** What was left open by a run that was stopped, or failed. */
  #answerCalls(): void {
    for (const callId of this.#calls) {
      this.#messages.push({ role: 'tool', callId, content: [{ type: 'text', text: NO_RESULT }], isError: true })
    }
    this.#calls.clear()
  }
}

function callsOf({ content }: AssistantMessage): string[] {
  return content.flatMap((part) => (part.type === 'tool-call' ? [part.callId] : []))
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
