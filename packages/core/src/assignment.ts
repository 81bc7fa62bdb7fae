import type { Message, Opening } from '@codeact/spec'
import type { LoopContext } from './loop/context.ts'
import type { Files } from './loop/lazy-sandbox.ts'
import { noteMessage } from './loop/transcript.ts'
import type { SavedSession } from './record/saved-session.ts'
import { messageOf, type Task } from './task-input.ts'

/** What a run is to do. */
export interface Assignment {
  /** In words. */
  readonly task: string
  /** What the model is told before it speaks. */
  readonly messages: readonly Message[]
  /** For the working directory. */
  readonly files: Files
}

const GO_ON = 'Go on with the task.'
const CUT = 'Your last code block was cut off, and what there was of it is not kept: write all of it anew.'

/** A new task. */
export function newTask({ restart, telling }: LoopContext, given: Task): Assignment {
  const input = typeof given === 'string' ? { text: given } : given
  const notes = (restart?.takeNotes() ?? []).map(noteMessage)
  return { task: input.text, messages: [...notes, messageOf(input, telling.vision)], files: input.files ?? {} }
}

/** The last task once more, from where it was left: behind a reply of the model's own, it is asked to go on. */
export function sameTask({ restart }: LoopContext, { task = '', messages, isCut }: SavedSession): Assignment {
  const notes = [...(restart?.takeNotes() ?? []), ...(isCut ? [CUT] : [])]
  const isHeard = messages.at(-1)?.role !== 'assistant' || notes.length > 0
  return { task, messages: [...notes, ...(isHeard ? [] : [GO_ON])].map(noteMessage), files: {} }
}

/** What the events of a run must say so that it can be gone on from them. */
export function openingOf({ transcript, restart }: LoopContext, { files }: Assignment): Opening {
  const messages = transcript.takeNew()
  const from = messages[0]?.role === 'system' ? restart?.opening : undefined
  const names = [...(from?.files ?? []), ...Object.keys(files)]
  return {
    messages,
    ...(from !== undefined && from.cells.length > 0 && { cells: from.cells }),
    ...(names.length > 0 && { files: names }),
  }
}
