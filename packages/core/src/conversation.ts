import { CodeActError, type CodeActEvent, type Message, type RunResult, type SavedSession } from '@codeact/spec'
import { type Assignment, newTask, sameTask } from './assignment.ts'
import type { LoopContext } from './loop/context.ts'
import { History } from './record/history.ts'
import type { LogWriter } from './record/log.ts'
import { logged } from './record/logged.ts'
import { type RunStart, runTask } from './run.ts'
import type { Task } from './task-input.ts'
import { UndoableSteps, type Undone } from './undo/undoable-steps.ts'

/** What is behind a session: runs one after the other, of which each is written down, and that can be gone on from. */
export class Conversation {
  readonly context: LoopContext
  readonly #log: LogWriter | undefined
  readonly #history: History
  readonly #undoable: UndoableSteps | undefined

  constructor(context: LoopContext, log?: LogWriter) {
    this.context = context
    this.#log = log
    const { checkpoints, restart, transcript } = context
    this.#history = new History(restart?.past ?? untouched(transcript.messages))
    if (checkpoints !== undefined) this.#undoable = new UndoableSteps(checkpoints, this.#history, context)
  }

  newTask(task: Task): Assignment {
    return newTask(this.context, task)
  }

  /** @throws CodeActError `NOTHING_TO_RESUME` */
  lastTask(): Assignment {
    const saved = this.#history.save()
    if (saved.task === undefined) throw nothingToResume('There was no task yet.')
    if (saved.stop === 'answer') throw nothingToResume('The last task has its answer.')
    return sameTask(this.context, saved)
  }

  work({ emit, signal, ...start }: RunStart): Promise<RunResult> {
    this.#undoable?.beginRun(start.assignment)
    const told: RunStart['emit'] = (event) => {
      this.#history.see(event)
      this.#undoable?.see(event)
      emit(event)
    }
    return logged(this.#log, { emit: told, signal }, (wiring) => runTask(this.context, { ...start, ...wiring }))
  }

  /** @throws CodeActError `UNDO_OFF`, `NOTHING_TO_UNDO`, `UNDO_IMPOSSIBLE`, and what the sandbox says */
  async undo(): Promise<Undone> {
    if (this.#undoable === undefined) throw undoOff()
    return this.#undoable.undo((event) => this.#note(event))
  }

  save(): SavedSession {
    return structuredClone(this.#history.save())
  }

  async close(): Promise<void> {
    this.#log?.close()
    await this.context.sandbox.close()
  }

  /** What happens between two runs. */
  #note(event: CodeActEvent): void {
    this.#history.see(event)
    this.#log?.write(event)
  }
}

function untouched(messages: readonly Message[]): SavedSession {
  return { v: 1, messages, cells: [], files: [], begun: [] }
}

function undoOff(): CodeActError {
  return new CodeActError('UNDO_OFF', 'This session keeps nothing by which a step could be undone.', {
    hint: 'Ask for it where the session starts: agent.session({ undo: true }).',
  })
}

function nothingToResume(what: string): CodeActError {
  return new CodeActError('NOTHING_TO_RESUME', what, {
    hint: 'Give a new one: session.run(task), of agent.session({ from }).',
  })
}
