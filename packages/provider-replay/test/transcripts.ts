import type { CodeActEvent, EventBody, LanguageModel, Message, ModelEvent } from '@codeact/spec'

export const system: Message = { role: 'system', content: 'You write code.' }

export function task(text: string): Message {
  return { role: 'user', kind: 'task', content: [{ type: 'text', text }] }
}

export function observation(text: string): Message {
  return { role: 'user', kind: 'observation', content: [{ type: 'text', text }] }
}

export function reply(text: string): Message {
  return { role: 'assistant', content: [{ type: 'text', text }] }
}

/** Asks a model once, and gives all that it streamed. */
export async function ask(model: LanguageModel, ...messages: Message[]): Promise<ModelEvent[]> {
  const events: ModelEvent[] = []
  for await (const event of model.stream({ messages: [system, ...messages] })) events.push(event)
  return events
}

/** What it said, put together from the pieces. */
export async function said(model: LanguageModel, ...messages: Message[]): Promise<string> {
  return (await ask(model, ...messages)).map((event) => (event.type === 'text-delta' ? event.text : '')).join('')
}

type Line = Partial<EventBody> & { readonly type: EventBody['type']; readonly messages?: readonly Message[] }

/** Events as a person would write them down: nothing but what a replay needs. */
export function events(...lines: Line[]): CodeActEvent[] {
  return lines as CodeActEvent[]
}

export function started(text: string): Line {
  return { type: 'run-start', task: text }
}

export function spoke(text: string): Line {
  return { type: 'model-end', message: { role: 'assistant', content: [{ type: 'text', text }] }, finish: 'stop' }
}

export function saw(text: string): Line {
  return { type: 'observation', observation: { text, images: [] } }
}
