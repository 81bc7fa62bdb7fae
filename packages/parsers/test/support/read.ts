import {
  type Action,
  type ActionEvent,
  type ActionParser,
  type ActionReader,
  actionsOf,
  type Finish,
  type ModelEvent,
} from '@codeact/spec'

/** What a reader gives for a reply that comes in these pieces. */
export function read(parser: ActionParser, pieces: readonly string[], finish?: Finish): Reading {
  return reading(parser.start(), pieces, finish)
}

/** What this reader gives for what it is fed with. */
export function reading(reader: ActionReader, input: readonly (string | ModelEvent)[], finish?: Finish): Reading {
  const events = input.flatMap((piece) => reader.feed(piece))
  events.push(...reader.end(finish))
  const { missing, enough } = reader
  return { events: joined(events), actions: actionsOf(events), missing, enough, raw: events }
}

export interface Reading {
  /** With neighbouring pieces joined, and ids replaced by the block's number. */
  readonly events: readonly ActionEvent[]
  readonly actions: readonly Action[]
  readonly missing: string
  readonly enough: number | undefined
  readonly raw: readonly ActionEvent[]
}

/** The reply in short: text as it is, code as `[language: code]`, `…` before the bracket when unclosed, `!` for invalid. */
export function outline(parser: ActionParser, reply: string, finish?: Finish): string {
  return read(parser, [reply], finish)
    .events.map((event) => {
      if (event.type === 'text') return event.text
      if (event.type === 'action') return '[!]'
      if (event.type !== 'code-end' || event.action.type !== 'code') return ''
      return `[${event.action.language}: ${event.action.code}${event.action.closed ? '' : '…'}]`
    })
    .join('')
}

export const cut = (text: string, places: readonly number[]): string[] => {
  const at = [0, ...places.map((place) => place % (text.length + 1)).sort((a, b) => a - b), text.length]
  return at.slice(1).map((end, index) => text.slice(at[index], end))
}

function joined(events: readonly ActionEvent[]): ActionEvent[] {
  const ids: string[] = []
  const result: ActionEvent[] = []
  for (const event of events) {
    if (event.type === 'code-start') ids.push(event.id)
    const last = result.at(-1)
    if (event.type === 'text' && last?.type === 'text')
      result.splice(-1, 1, { type: 'text', text: last.text + event.text })
    else if (event.type === 'code-delta' && last?.type === 'code-delta')
      result.splice(-1, 1, { ...last, text: last.text + event.text })
    else result.push('id' in event ? { ...event, id: `block ${ids.indexOf(event.id)}` } : event)
  }
  return result
}
