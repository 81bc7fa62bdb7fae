import type { AssistantMessage, CodeActEvent, Finish, Message, ModelOutcome, Usage } from '@codeact/spec'
import { textOf } from './conversation.ts'
import type { Reply } from './play.ts'

/** What of an event log is needed to play it. */
export type RecordedEvent =
  /** What the model was told by it, where the log says that beyond the task. */
  (
    | { readonly type: 'run-start'; readonly task: string; readonly messages?: readonly Message[] }
    | { readonly type: 'user-message'; readonly text: string }
    /** The text of each message that told it; or one, in which they are joined. */
    | { readonly type: 'observation'; readonly texts: readonly string[] }
    | { readonly type: 'reply'; readonly reply: Reply }
    /** The transcript as it is behind it. */
    | { readonly type: 'undo'; readonly task: string; readonly messages: readonly Message[] }
    | { readonly type: 'span' }
  ) & {
    /** The span, and the one around it: what belongs to a run inside another one is no part of this conversation. */
    readonly id?: string
    readonly parent?: string
  }

const FINISHES: readonly string[] = [
  'stop',
  'stop-sequence',
  'length',
  'tool-calls',
  'refusal',
  'pause',
] satisfies Finish[]
const NO_USAGE: Usage = { inputTokens: 0, outputTokens: 0 }

/** The event as far as it is needed; undefined for the other ones. Throws what is wrong with it, as the end of a sentence. */
export function recordedEvent(value: unknown): RecordedEvent | undefined {
  const event = partOf(value)
  if (event === undefined) return undefined
  const { id, parent } = value as { id?: unknown; parent?: unknown }
  return { ...event, ...(typeof id === 'string' && { id }), ...(typeof parent === 'string' && { parent }) }
}

function partOf(value: unknown): RecordedEvent | undefined {
  if (!isObject(value) || typeof value.type !== 'string') throw new TypeError('it is not an event: it has no type')
  if (value.v !== undefined && value.v !== 1) throw new TypeError(`it is of version ${value.v}; this package reads 1`)
  const event = value as unknown as CodeActEvent
  if (event.type === 'run-start') {
    const messages = event.messages === undefined ? {} : { messages: messagesOf(event.messages) }
    return { type: 'run-start', task: aText(event.task, 'task'), ...messages }
  }
  if (event.type === 'observation') {
    const text = aText(event.observation?.text, 'observation.text')
    return {
      type: 'observation',
      texts: event.messages === undefined ? [text] : messagesOf(event.messages).map(textOf),
    }
  }
  if (event.type === 'user-message') return { type: 'user-message', text: aText(event.text, 'text') }
  if (event.type === 'undo') {
    const { task = '', messages } = event.session
    return { type: 'undo', task, messages: messagesOf(messages) }
  }
  if (event.type === 'step-start') return { type: 'span' }
  return event.type === 'model-end' ? replyOf(event) : undefined
}

/** A call that failed or was aborted gave no reply: nothing of it is in the transcript. */
function replyOf({ message, finish, usage = NO_USAGE }: ModelOutcome): RecordedEvent | undefined {
  if (finish === 'aborted' || finish === 'error') return undefined
  if (!FINISHES.includes(finish)) throw new TypeError(`its finish must be one of ${FINISHES.join(', ')}`)
  return { type: 'reply', reply: { message: messageOf(message), finish, usage } }
}

function messageOf(message: unknown): AssistantMessage {
  if (!isObject(message) || message.role !== 'assistant' || !Array.isArray(message.content)) {
    throw new TypeError('its message must be { "role": "assistant", "content": [ parts ] }')
  }
  for (const part of message.content as unknown[]) {
    if (!isObject(part) || !isPart(part)) {
      throw new TypeError('a part of its message is not a text, tool-call or reasoning part')
    }
  }
  return message as unknown as AssistantMessage
}

function isPart({ type, text, callId, name, json }: Record<string, unknown>): boolean {
  if (type === 'text') return typeof text === 'string'
  if (type === 'tool-call') return [callId, name, json].every((field) => typeof field === 'string')
  return type === 'reasoning'
}

function messagesOf(value: unknown): readonly Message[] {
  const isList = Array.isArray(value) && value.every((one) => isObject(one) && isContent(one.content))
  if (!isList) throw new TypeError('its messages must be a list of { "role": …, "content": a text or [ parts ] }')
  return value as unknown as readonly Message[]
}

function isContent(content: unknown): boolean {
  return typeof content === 'string' || (Array.isArray(content) && content.every(isObject))
}

function aText(value: unknown, field: string): string {
  if (typeof value !== 'string') throw new TypeError(`its ${field} must be a text`)
  return value
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
