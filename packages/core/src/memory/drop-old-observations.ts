import type { Message, ToolMessage, UserMessage } from '@codeact/spec'
import { checkOver } from './check-over.ts'
import type { Memory, MemoryTools } from './memory.ts'

export interface DropOldObservationsOptions {
  /** Tokens of the transcript, estimated, above which it acts: it then drops down to half of that. */
  readonly over: number
  /** The newest observations, which stay. Default 3. */
  readonly keep?: number
}

type Told = (UserMessage & { readonly kind: 'observation' }) | ToolMessage

const DROPPED = '(this output is left out by now)'
/** Less than this is not worth it. */
const LEAST_TOKENS = 40

/** Leaves out what code gave long ago, the oldest first. What was asked and what the model wrote stays as it is. */
export function dropOldObservations({ over, keep = 3 }: DropOldObservationsOptions): Memory {
  checkOver('dropOldObservations', over)
  return {
    name: 'drop-old-observations',
    over,
    compact: async (messages, tools) => {
      const dropped = oldest(messages, over / 2, keep, tools)
      const last = dropped.at(-1)
      if (last === undefined) return undefined
      return {
        leftOut: dropped.map((index) => textOf(messages[index] as Told)).join('\n\n'),
        messages: (note) =>
          messages.map((message, index) => {
            if (!dropped.includes(index)) return message
            return without(message as Told, index === last && note !== '' ? `${DROPPED}\n${note}` : DROPPED)
          }),
      }
    },
  }
}

/** The places of the observations to drop, until the rest is small enough. */
function oldest(messages: readonly Message[], target: number, keep: number, { count }: MemoryTools): number[] {
  const told = messages.flatMap((message, index) => (isTold(message) ? [index] : []))
  let total = messages.reduce((sum, message) => sum + count(message), 0)
  const dropped: number[] = []
  for (const index of told.slice(0, Math.max(0, told.length - keep))) {
    if (total <= target) break
    const tokens = count(messages[index] as Message)
    if (tokens < LEAST_TOKENS) continue
    total -= tokens
    dropped.push(index)
  }
  return dropped
}

function isTold(message: Message): message is Told {
  return message.role === 'tool' || (message.role === 'user' && message.kind === 'observation')
}

function textOf({ content }: Told): string {
  return content.map((part) => (part.type === 'text' ? part.text : `(${part.mediaType})`)).join('\n')
}

function without<M extends Told>(message: M, text: string): M {
  return { ...message, content: [{ type: 'text', text }] }
}
