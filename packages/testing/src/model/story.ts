import type { AssistantMessage, ModelEvent } from '@codeact/spec'

/** What was told, without the cuts of the stream: neighbouring texts are one, and a call is told where it began. */
export type Told =
  | { readonly text: string }
  | { readonly reasoning: string }
  | { readonly call: string; readonly name: string; readonly json: string }

/** The story that events tell. Throws where they break the grammar: each call begins once, goes on, and ends. */
export function storyOf(events: readonly ModelEvent[]): Told[] {
  const told: Told[] = []
  const open = new Map<string, number>()
  for (const [index, event] of events.entries()) {
    switch (event.type) {
      case 'text-delta':
        add(told, { text: event.text })
        break
      case 'reasoning-delta':
        add(told, { reasoning: event.text })
        break
      case 'tool-call-start':
        begin(told, open, event)
        break
      case 'tool-call-delta':
      case 'tool-call-end':
        goOn(told, open, event)
        break
      case 'end':
        if (index < events.length - 1) throw new Error(`After the end came ${events[index + 1]?.type}.`)
    }
  }
  if (open.size > 0) throw new Error(`These calls never ended: ${[...open.keys()]}.`)
  return told
}

type CallEvent<Type extends ModelEvent['type']> = Extract<ModelEvent, { type: Type }>

function begin(told: Told[], open: Map<string, number>, { callId, name }: CallEvent<'tool-call-start'>): void {
  if (told.some((one) => 'call' in one && one.call === callId)) throw new Error(`The call ${callId} began twice.`)
  open.set(callId, told.push({ call: callId, name, json: '' }) - 1)
}

function goOn(told: Told[], open: Map<string, number>, event: CallEvent<'tool-call-delta' | 'tool-call-end'>): void {
  const at = open.get(event.callId)
  const call = at === undefined ? undefined : told[at]
  if (at === undefined || call === undefined || !('call' in call)) {
    throw new Error(`${event.type} of ${event.callId}, which is no open call.`)
  }
  if (event.type === 'tool-call-end') open.delete(event.callId)
  else told[at] = { ...call, json: call.json + event.json }
}

/** The same of a message; reasoning is opaque, and left out. */
export function storyOfMessage({ content }: AssistantMessage): Told[] {
  const told: Told[] = []
  for (const part of content) {
    if (part.type === 'text') add(told, { text: part.text })
    else if (part.type === 'tool-call') told.push({ call: part.callId, name: part.name, json: part.json })
  }
  return told
}

/** Texts of one kind that follow each other become one. */
function add(told: Told[], next: { text: string } | { reasoning: string }): void {
  const last = told.at(-1)
  if (last !== undefined && 'text' in last && 'text' in next) told[told.length - 1] = { text: last.text + next.text }
  else if (last !== undefined && 'reasoning' in last && 'reasoning' in next) {
    told[told.length - 1] = { reasoning: last.reasoning + next.reasoning }
  } else told.push(next)
}
