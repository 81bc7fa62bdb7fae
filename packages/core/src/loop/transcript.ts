import type { AssistantMessage, Message, UserMessage } from '@codeact/spec'
import { type CountTokens, messageTokens } from '../memory/tokens.ts'

const NO_RESULT = 'There is no result: the run ended before this call did.'

/**
 * The conversation so far. It only ever grows at its end, so that providers' prompt caches hold, except where a compaction
 * replaces it. Each native tool call has its result before anything else is said: vendors refuse a transcript in which one has
 * none.
 */
export class Transcript {
  readonly #countTokens: CountTokens
  #messages: Message[] = []
  #counted = 0
  #tokens = 0
  #grownEnough = 0
  #stated = 0
  /** Calls that have no result yet. */
  readonly #calls = new Set<string>()

  constructor(countTokens: CountTokens) {
    this.#countTokens = countTokens
  }

  /** The list itself, which grows. */
  get messages(): readonly Message[] {
    return this.#messages
  }

  readonly count = (message: Message): number => messageTokens(message, this.#countTokens)

  /** As estimated; each message is counted once. */
  get tokens(): number {
    for (; this.#counted < this.#messages.length; this.#counted++) {
      this.#tokens += this.count(this.#messages[this.#counted] as Message)
    }
    return this.#tokens
  }

  /** Tokens below which it is not worth while to compact it again. */
  get grownEnough(): number {
    return this.#grownEnough
  }

  push(message: Message): void {
    if (message.role === 'tool') this.#calls.delete(message.callId)
    else this.#answerCalls()
    this.#messages.push(message)
    if (message.role === 'assistant') for (const callId of callsOf(message)) this.#calls.add(callId)
  }

  /** Another list: who holds the one from before sees no change. */
  replace(messages: readonly Message[]): void {
    this.#messages = [...messages]
    this.#counted = this.#tokens = 0
    this.#stated = messages.length
  }

  /**
   * As it was before.
   *
   * @param isStated whether that is known; else what it has got is all of it
   */
  goBack(messages: readonly Message[], isStated: boolean): void {
    this.replace([])
    this.#calls.clear()
    for (const message of messages) this.push(message)
    this.#stated = isStated ? this.#messages.length : 0
  }

  letGrow(tokens: number): void {
    this.#grownEnough = this.tokens + tokens
  }

  /** Whether anything of it was ever said to be known. */
  get isStated(): boolean {
    return this.#stated > 0
  }

  /** What it has got since this was last asked, or said to be known. */
  takeNew(): readonly Message[] {
    const fresh = this.#messages.slice(this.#stated)
    this.#stated = this.#messages.length
    return fresh
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
