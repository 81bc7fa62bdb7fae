import type { LanguageModel, Message, ModelEvent, ModelRequest } from '@codeact/spec'

export const task = (text: string): Message => ({ role: 'user', kind: 'task', content: [{ type: 'text', text }] })

export async function drain(model: LanguageModel, request: Partial<ModelRequest> = {}): Promise<ModelEvent[]> {
  const events: ModelEvent[] = []
  for await (const event of model.stream({ messages: [task('Hi')], ...request })) events.push(event)
  return events
}

export function endOf(events: readonly ModelEvent[]): Extract<ModelEvent, { type: 'end' }> {
  const last = events.at(-1)
  if (last?.type !== 'end') throw new Error(`The stream ended with ${last?.type}.`)
  return last
}

export function joined(events: readonly ModelEvent[], type: 'text-delta' | 'reasoning-delta'): string {
  return events.map((event) => (event.type === type ? event.text : '')).join('')
}
