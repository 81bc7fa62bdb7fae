import type { Anthropic } from '@anthropic-ai/sdk'
import type { Message } from '@codeact/spec'
import { type Block, encodeParts, encodeReply, encodeResult, encodeText } from './encode-parts.ts'
import { isThinking } from './thinking.ts'

export interface Turn {
  readonly role: 'user' | 'assistant'
  readonly content: readonly Block[]
}

export interface Encoded {
  readonly system: readonly Anthropic.TextBlockParam[]
  readonly turns: readonly Turn[]
}

/** What stands where the user said nothing between two replies. */
const GO_ON: Block = { type: 'text', text: 'Go on.' }

const NOT_RUN = 'This call was not run.'

/**
 * The transcript as the API spells it: turns of user and assistant, one after the other. Block by block, a longer transcript
 * begins with the shorter one.
 *
 * A transcript that ends with a reply would be a prefill, which newer models refuse: the user asks to go on. Only a reply
 * that stopped in the middle of one of the vendor's own tools goes out as the last, as the API wants it.
 */
export function encodeMessages(messages: readonly Message[], model: string): Encoded {
  const start = messages.findIndex(({ role }) => role !== 'system')
  const head = start < 0 ? messages : messages.slice(0, start)
  const system = head.flatMap((message) => (message.role === 'system' ? encodeText(message.content) : []))
  const turns = start < 0 ? [] : turnsOf(messages.slice(start), model)
  return { system, turns: turns.map((turn, index) => (turn.role === 'user' ? answer(turn, turns[index - 1]) : turn)) }
}

function turnsOf(messages: readonly Message[], model: string): Turn[] {
  const turns: Turn[] = []
  for (const message of messages) add(turns, encodeMessage(message, model))
  if (isReply(turns.at(-1)) && !isPaused(turns.at(-1))) turns.push({ role: 'user', content: [] })
  return turns
}

/** Neighbours with the same role become one turn, but for replies that the user is to have come between. */
function add(turns: Turn[], turn: Turn): void {
  const last = turns.at(-1)
  if (turn.content.length === 0) return
  if (isReply(last) && turn.role === 'assistant' && !isPaused(last)) turns.push({ role: 'user', content: [] }, turn)
  else if (last?.role === turn.role) turns.splice(-1, 1, { ...last, content: [...last.content, ...turn.content] })
  else turns.push(turn)
}

function encodeMessage(message: Message, model: string): Turn {
  switch (message.role) {
    case 'system':
      // Later than at the start it stays in its place: what is before it has been cached.
      return { role: 'user', content: encodeText(message.content) }
    case 'user':
      return { role: 'user', content: encodeParts(message.content) }
    case 'tool':
      return { role: 'user', content: [encodeResult(message)] }
    case 'assistant':
      return { role: 'assistant', content: encodeReply(message, model) }
  }
}

/** A turn of the user begins with a result for each call of the reply before it: the API refuses anything else. */
function answer({ role, content }: Turn, reply: Turn | undefined): Turn {
  const results = content.filter((block) => block.type === 'tool_result')
  const rest = content.filter((block) => block.type !== 'tool_result')
  const known = new Set(results.map((result) => result.tool_use_id))
  const missing = (reply?.content ?? []).flatMap((block): Block[] =>
    block.type === 'tool_use' && !known.has(block.id)
      ? [{ type: 'tool_result', tool_use_id: block.id, content: NOT_RUN, is_error: true }]
      : [],
  )
  const all = [...results, ...missing, ...rest]
  return { role, content: all.length === 0 ? [GO_ON] : all }
}

function isReply(turn: Turn | undefined): boolean {
  return turn?.role === 'assistant'
}

/** True for a reply that ends in a block of the vendor's own tools. */
function isPaused(turn: Turn | undefined): boolean {
  const last = turn?.content.at(-1)
  return last !== undefined && last.type !== 'text' && last.type !== 'tool_use' && !isThinking(last)
}
