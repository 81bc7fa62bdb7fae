import { sinceLastReply } from './conversation.ts'
import type { Reply } from './play.ts'
import type { RecordedEvent } from './recorded-event.ts'

/** A recording as a model plays it. */
export interface Recording {
  /** The file's name, or what stands for it. */
  readonly name: string
  readonly turns: readonly Turn[]
}

/** One reply, and all that the model must have heard since the one before. */
export interface Turn {
  readonly tasks: readonly string[]
  readonly observations: readonly string[]
  readonly reply: Reply
  /** The task that the reply works on, and which step of it this is, from 1. */
  readonly task: string
  readonly step: number
}

/** Orders events into turns. What was still to be heard when the recording ends belongs to no turn. */
export function toRecording(name: string, events: readonly RecordedEvent[]): Recording {
  const turns: Turn[] = []
  let [task, step] = ['', 0]
  let heard = nothing()
  for (const event of ownEvents(events)) {
    if (event.type === 'span') continue
    if (event.type === 'user-message') {
      heard.tasks.push(event.text)
    } else if (event.type === 'run-start' || event.type === 'undo') {
      ;[task, step] = [event.task, 0]
      heard = heardAt(event, heard, turns)
    } else if (event.type === 'observation') {
      heard.observations.push(...event.texts)
    } else {
      step += 1
      turns.push({ ...heard, reply: event.reply, task, step })
      heard = nothing()
    }
  }
  return { name, turns }
}

interface Heard {
  readonly tasks: string[]
  readonly observations: string[]
}

/**
 * What the model has heard once a run begins, or a step was undone. Where the whole transcript is told, it is that of another
 * conversation, or of one that was cut off, or went back: of the turns so far those stay that are in it.
 */
function heardAt({ task, messages }: Turning, { tasks, observations }: Heard, turns: Turn[]): Heard {
  if (messages === undefined) return { tasks: [...tasks, task], observations }
  const since = sinceLastReply(messages)
  if (messages[0]?.role !== 'system') {
    return { tasks: [...tasks, ...since.tasks], observations: [...observations, ...since.observations] }
  }
  if (turns.length < since.replies) throw new TypeError('it goes on with a conversation that is not in it')
  turns.length = since.replies
  return { tasks: [...since.tasks], observations: [...since.observations] }
}

type Turning = Extract<RecordedEvent, { type: 'run-start' | 'undo' }>

/** Without those of runs inside a run: an agent that was called as a tool, or that reviewed code, is another conversation. */
function ownEvents(events: readonly RecordedEvent[]): readonly RecordedEvent[] {
  const nested = new Set<string>()
  return events.filter(({ type, id, parent }) => {
    const isNested = parent !== undefined && (type === 'run-start' || nested.has(parent))
    if (isNested && id !== undefined) nested.add(id)
    return !isNested
  })
}

function nothing(): Heard {
  return { tasks: [], observations: [] }
}
