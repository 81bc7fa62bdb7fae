import { joinObservations, type Message } from '@codeact/spec'

/** How far a conversation is, and what came since the model last spoke: all that a model needs to know to play its part. */
export interface Since {
  /** How many replies the model has given. */
  readonly replies: number
  readonly tasks: readonly string[]
  /** The text of each message that told what code gave. */
  readonly observations: readonly string[]
}

/** The model's part so far is counted in the transcript itself, so that one model can serve many conversations at once. */
export function sinceLastReply(messages: readonly Message[]): Since {
  const replies = messages.reduce((sum, message) => sum + repliesOf(message), 0)
  const fresh = messages.slice(messages.findLastIndex(({ role }) => role === 'assistant') + 1)
  return {
    replies,
    tasks: fresh.flatMap((message) => (isTask(message) ? [textOf(message)] : [])),
    observations: fresh.flatMap((message) => (isObservation(message) ? [textOf(message)] : [])),
  }
}

/** As one text, in the form in which a run tells its watchers of a reply with several blocks. */
export function toldAsOne(texts: readonly string[]): string | undefined {
  return joinObservations(texts.map((text) => ({ text, images: [] })))?.text
}

/** A summary stands for those that it took the place of. */
function repliesOf(message: Message): number {
  if (message.role === 'assistant') return 1
  return message.role === 'user' ? (message.replies ?? 0) : 0
}

function isTask(message: Message): boolean {
  return message.role === 'user' && message.kind === 'task'
}

function isObservation(message: Message): boolean {
  return message.role === 'tool' || (message.role === 'user' && message.kind === 'observation')
}

export function textOf({ content }: Message): string {
  if (typeof content === 'string') return content
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('')
}
