import type { Anthropic } from '@anthropic-ai/sdk'
import type { Turn } from './encode-messages.ts'

const MARK = { cache_control: { type: 'ephemeral' } } as const

export interface Prompt {
  readonly tools: readonly Anthropic.Tool[]
  readonly system: readonly Anthropic.TextBlockParam[]
  readonly turns: readonly Turn[]
}

/**
 * Marks up to where the server is to keep what it has read: after what never changes (tools, then system), and at the end of
 * the user's last two turns. The last mark writes what the next request reads: there it is the last but one, for a reply and
 * a turn have come behind it. That is three marks; the API takes four, so one is left for the option `request`.
 */
export function withCacheMarks({ tools, system, turns }: Prompt): Prompt {
  const users = turns.flatMap(({ role }, index) => (role === 'user' ? [index] : [])).slice(-2)
  return {
    tools: system.length === 0 ? markLast(tools) : tools,
    system: markLast(system),
    turns: turns.map((turn, index) => (users.includes(index) ? { ...turn, content: markLast(turn.content) } : turn)),
  }
}

function markLast<T extends object>(blocks: readonly T[]): T[] {
  return blocks.map((block, index) => (index === blocks.length - 1 ? { ...block, ...MARK } : block))
}
