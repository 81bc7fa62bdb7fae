import { CodeActError, type RunResult } from '@codeact/spec'
import { type Assignment, newTask, sameTask } from './assignment.ts'
import type { LoopContext } from './loop/context.ts'
import { History } from './record/history.ts'
import type { LogWriter } from './record/log.ts'
import { logged } from './record/logged.ts'
import type { SavedSession } from './record/saved-session.ts'
import { type RunStart, runTask } from './run.ts'
import type { Task } from './task-input.ts'

/** What is behind a session: runs one after the other, of which each is written down, and that can be gone on from. */
export class Conversation {
  readonly context: LoopContext
  readonly #log: LogWriter | undefined
  readonly #history: History

  constructor(context: LoopContext, log?: LogWriter) {
    this.context = context
    this.#log = log
    this.#history = new History(context.restart?.past)
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
    const told: RunStart['emit'] = (event) => {
      this.#history.see(event)
      emit(event)
    }
    return logged(this.#log, { emit: told, signal }, (wiring) => runTask(this.context, { ...start, ...wiring }))
  }

  save(): SavedSession {
    return structuredClone(this.#history.save())
  }

  async close(): Promise<void> {
    this.#log?.close()
    await this.context.sandbox.close()
  }
}

function nothingToResume(what: string): CodeActError {
  return new CodeActError('NOTHING_TO_RESUME', what, {
    hint: 'Give a new one: session.run(task), of agent.session({ from }).',
  })
}
