import type { LanguageModel, Message, ModelEvent, ModelRequest } from '@codeact/spec'

export type EndEvent = Extract<ModelEvent, { type: 'end' }>

/** What a user asks. */
export const task = (text: string): Message => ({ role: 'user', kind: 'task', content: [{ type: 'text', text }] })

/** All events of one reply. Default: to a user who says hello. */
export async function drain(model: LanguageModel, request: Partial<ModelRequest> = {}): Promise<ModelEvent[]> {
  const events: ModelEvent[] = []
  for await (const event of model.stream({ messages: [task('Hi')], ...request })) events.push(event)
  return events
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
