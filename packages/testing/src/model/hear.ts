import type { LanguageModel, Message, ModelEvent, ModelRequest } from '@codeact/spec'
import type { ModelServer } from './model-server.ts'

export type EndEvent = Extract<ModelEvent, { type: 'end' }>

/** What a user asks. */
export const task = (text: string): Message => ({ role: 'user', kind: 'task', content: [{ type: 'text', text }] })

/** All events of one reply. Default: to a user who says hello. */
export async function drain(model: LanguageModel, request: Partial<ModelRequest> = {}): Promise<ModelEvent[]> {
  const events: ModelEvent[] = []
  for await (const event of model.stream({ messages: [task('Hi')], ...request })) events.push(event)
  return events
}

/**
 * Hears a reply until these words were told, in text, in reasoning or in a call, and then has heard enough.
 *
 * @param server that of the model: the connection to it is gone when the reply ends
 */
export async function hearUntil(
  words: string,
  model: LanguageModel,
  messages: readonly Message[] = [task('Hi')],
  server?: ModelServer,
): Promise<{ readonly events: readonly ModelEvent[]; readonly end: EndEvent }> {
  const enough = new AbortController()
  const events: ModelEvent[] = []
  for await (const event of model.stream({ messages, enough: enough.signal })) {
    events.push(event)
    if (event.type === 'end') await server?.received.at(-1)?.closed
    if (JSON.stringify(event).includes(words)) enough.abort()
  }
  if (!JSON.stringify(events.slice(0, -1)).includes(words)) throw new Error(`${JSON.stringify(words)} was never told.`)
  return { events, end: endOf(events) }
}

/** The event that ends a reply. */
export function endOf(events: readonly ModelEvent[]): EndEvent {
  const last = events.at(-1)
  if (last?.type !== 'end') throw new Error(`The stream ended with ${last?.type}.`)
  return last
}

/** All that was said, or thought, in one piece. */
export function joined(events: readonly ModelEvent[], type: 'text-delta' | 'reasoning-delta'): string {
  return events.map((event) => (event.type === type ? event.text : '')).join('')
}
