import { CodeActError, type LanguageModel, type Message, type ModelEvent, type UserMessage } from '@codeact/spec'
import { cutMiddle } from '../loop/cut-middle.ts'
import { checkOver } from './check-over.ts'
import type { Memory } from './memory.ts'

export interface SummarizeOptions {
  /** Who writes the summary. */
  readonly model: LanguageModel
  /** Tokens of the transcript, estimated, above which it acts. */
  readonly over: number
  /** The model's newest replies, which stay as they are, with what was said since. Default 3. */
  readonly keep?: number
}

const ASK = `You keep the notes of an agent that works on a task by writing code, which runs in a session that keeps its variables.
Write down, as briefly as you can, what the agent must know to go on without the conversation below: what was found out, with the
figures; what was tried and failed; which variables, functions and files there are and what they hold; what is still to be done.
Give the notes alone.`

/** Of each message, what the model that summarises is shown. */
const LONGEST = 4000

/** Puts a summary in the place of all but the newest messages. The tasks stay in it word for word. */
export function summarize({ model, over, keep = 3 }: SummarizeOptions): Memory {
  checkOver('summarize', over)
  return {
    name: 'summarize',
    over,
    model,
    compact: async (messages, { signal }) => {
      const start = messages.findIndex(({ role }) => role !== 'system')
      const end = placeOfReply(messages, keep)
      const old = messages.slice(start, Math.max(start, end))
      if (!old.some(({ role }) => role === 'assistant')) return undefined
      const leftOut = old.map(shown).join('\n\n')
      const { text, usage } = await ask(
        model,
        old.map((one) => cutMiddle(shown(one), LONGEST).text).join('\n\n'),
        signal,
      )
      return {
        leftOut,
        usage,
        messages: (note) => [...messages.slice(0, start), summary(old, text, note), ...messages.slice(end)],
      }
    },
  }
}

/** Where the newest `keep` replies begin. */
function placeOfReply(messages: readonly Message[], keep: number): number {
  const replies = messages.flatMap(({ role }, index) => (role === 'assistant' ? [index] : []))
  return keep === 0 ? messages.length : (replies.at(-keep) ?? 0)
}

function summary(old: readonly Message[], text: string, note: string): UserMessage {
  const parts = [tasksOf(old), `What has happened since, in short:\n${text}`, note].filter((part) => part !== '')
  const replies = old.reduce((sum, message) => sum + repliesOf(message), 0)
  return { role: 'user', kind: 'summary', replies, content: [{ type: 'text', text: parts.join('\n\n') }] }
}

/** The tasks, also those of a summary that is summarised again: they stand first in it. */
function tasksOf(old: readonly Message[]): string {
  return old
    .flatMap((message) => {
      if (message.role !== 'user' || message.kind === 'observation') return []
      const text = shownContent(message)
      return [message.kind === 'task' ? text : (text.split('\n\nWhat has happened since, in short:\n')[0] ?? '')]
    })
    .join('\n\n')
}

function repliesOf(message: Message): number {
  if (message.role === 'assistant') return 1
  return message.role === 'user' ? (message.replies ?? 0) : 0
}

function shown(message: Message): string {
  const who = message.role === 'user' ? message.kind : message.role
  return `[${who}]\n${shownContent(message)}`
}

function shownContent({ content }: Message): string {
  if (typeof content === 'string') return content
  return content
    .map((part) => {
      if (part.type === 'text') return part.text
      return part.type === 'tool-call' ? part.json : part.type === 'image' ? `(${part.mediaType})` : ''
    })
    .join('')
}

async function ask(model: LanguageModel, text: string, signal: AbortSignal): Promise<Said> {
  const messages: Message[] = [
    { role: 'system', content: ASK },
    { role: 'user', kind: 'task', content: [{ type: 'text', text }] },
  ]
  for await (const event of model.stream({ messages, signal })) if (event.type === 'end') return said(event)
  throw new CodeActError('MODEL_STREAM_CUT', `${model.id} stopped in the middle of a summary.`, { isRetryable: true })
}

type End = Extract<ModelEvent, { type: 'end' }>
type Said = Pick<End, 'usage'> & { readonly text: string }

function said({ message, usage }: End): Said {
  return { text: shownContent(message).trim(), usage }
}
