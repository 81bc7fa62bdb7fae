import type { Message, Opening, SavedSession } from '@codeact/spec'
import type { LoopContext } from './loop/context.ts'
import type { Files } from './loop/lazy-sandbox.ts'
import { noteMessage } from './loop/transcript.ts'
import { messageOf, type Task } from './task-input.ts'

/** What a run is to do. */
export interface Assignment {
  /** In words. */
  readonly task: string
  /** False where a run on it was left, and another one goes on. */
  readonly isNew: boolean
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
  const messages = [...notes, messageOf(input, telling.vision)]
  return { task: input.text, isNew: true, messages, files: input.files ?? {} }
}

/** The last task once more, from where it was left: behind a reply of the model's own, it is asked to go on. */
export function sameTask({ restart }: LoopContext, { task = '', messages, isCut }: SavedSession): Assignment {
  const notes = [...(restart?.takeNotes() ?? []), ...(isCut ? [CUT] : [])]
  const isHeard = messages.at(-1)?.role !== 'assistant' || notes.length > 0
  return { task, isNew: false, messages: [...notes, ...(isHeard ? [] : [GO_ON])].map(noteMessage), files: {} }
}

/** What the events of a run must say so that it can be gone on from them. */
export function openingOf({ transcript, restart, sandbox }: LoopContext, { files }: Assignment): Opening {
  const messages = transcript.takeNew()
  const isWhole = messages[0]?.role === 'system'
  const { cells = [], files: before = [] } = (isWhole ? restart?.opening : undefined) ?? {}
  // What a first run was given is still there where that run was undone.
  const names = new Set([...before, ...(isWhole ? sandbox.given : []), ...Object.keys(files)])
  return { messages, ...(cells.length > 0 && { cells }), ...(names.size > 0 && { files: [...names] }) }
}
