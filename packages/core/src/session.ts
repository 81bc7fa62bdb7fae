import { CodeActError, type CodeActEvent, type Message, Run, type RunResult, type SavedSession } from '@codeact/spec'
import type { Assignment } from './assignment.ts'
import type { Conversation } from './conversation.ts'
import { eitherSignal } from './loop/scope.ts'
import type { RunTies } from './run.ts'
import type { Task } from './task-input.ts'
import type { Undone } from './undo/undoable-steps.ts'

export interface SessionRunOptions extends RunTies {
  readonly signal?: AbortSignal
}

/** A conversation: what was said and the sandbox's variables are kept from one task to the next. */
export class Session<Answer = unknown> implements AsyncDisposable {
  readonly #conversation: Conversation
  #running: Run<CodeActEvent, RunResult<Answer>> | undefined
  #undoing: Promise<Undone> | undefined
  #isClosed = false

  constructor(conversation: Conversation) {
    this.#conversation = conversation
  }

  /** All that was said and not left out since, the system prompt first. */
  get messages(): readonly Message[] {
    return [...this.#conversation.context.transcript.messages]
  }

  /** Works on a task. Throws `SESSION_BUSY` while another one runs, and `SESSION_CLOSED` after `close()`. */
  run(task: Task, options: SessionRunOptions = {}): Run<CodeActEvent, RunResult<Answer>> {
    this.#refuseWhenClosed()
    this.#refuseWhenBusy('Await that run first, or add to its task: session.send(text).')
    return this.#start(this.#conversation.newTask(task), options)
  }

  /**
   * Goes on with the last task, from where its run was left: at a limit, by a failure, or by a host that is gone. It is another
   * run, with limits of its own. Throws `SESSION_BUSY`, `SESSION_CLOSED`; and `NOTHING_TO_RESUME` where there is no task, or
   * it has its answer.
   */
  resume(options: SessionRunOptions = {}): Run<CodeActEvent, RunResult<Answer>> {
    this.#refuseWhenClosed()
    this.#refuseWhenBusy('Await that run first.')
    return this.#start(this.#conversation.lastTask(), options)
  }

  /**
   * Takes the last step back, of a session that was asked to be able to: `agent.session({ undo: true })`. What was said in it
   * leaves the transcript, the variables are as they were before its code, and the run is as if it had been left there:
   * `resume()` lets the model do the step anew. With the first step of a run goes what the run was told at first; its task was
   * never given then, and `run()` takes it again, or another one. A step without code has only its words to take back. Further
   * calls take back further steps, across runs; a compaction between is taken back, too. Files, what tools did and what was
   * spent stay. The log gets an event `undo`.
   *
   * Rejects with `SESSION_BUSY`, `SESSION_CLOSED`, `UNDO_OFF`, `NOTHING_TO_UNDO`; with `UNDO_IMPOSSIBLE` where there was no
   * checkpoint before that step, and as `sandbox.restore()` does where it is not kept any more (`CHECKPOINT_GONE`): nothing is
   * changed then. With `LOG_UNWRITABLE` it is undone and not written down.
   */
  async undo(): Promise<Undone> {
    this.#refuseWhenClosed()
    this.#refuseWhenBusy('Await that run first, or abort it: run.abort().')
    this.#undoing = this.#conversation.undo()
    try {
      return await this.#undoing
    } finally {
      this.#undoing = undefined
    }
  }

  /**
   * The session as plain JSON, for `agent.session({ from })`. Throws `SESSION_BUSY` while a task runs: a log has what there is
   * until then.
   */
  save(): SavedSession {
    this.#refuseWhenBusy('Await that run first; or give the session a log, which has each step.')
    return this.#conversation.save()
  }

  /**
   * Says something to the run that is under way. The model hears it before it speaks next; an answer that it was giving
   * meanwhile does not end the run. Throws `SESSION_IDLE` where nothing runs, and `SESSION_CLOSED` after `close()`.
   */
  send(text: string): void {
    this.#refuseWhenClosed()
    if (this.#running === undefined) {
      throw new CodeActError('SESSION_IDLE', 'The session is not working on a task.', {
        hint: 'Give it one: session.run(task).',
      })
    }
    this.#conversation.context.inbox.put(text)
  }

  /** Stops what still runs, and ends the sandbox. Idempotent. */
  async close(): Promise<void> {
    this.#isClosed = true
    const running = this.#running
    running?.abort()
    await running?.catch(() => {})
    await this.#undoing?.catch(() => {})
    await this.#conversation.close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  #start(assignment: Assignment, { signal, ...ties }: SessionRunOptions): Run<CodeActEvent, RunResult<Answer>> {
    const run = new Run<CodeActEvent, RunResult<Answer>>(async (emit, aborted) => {
      try {
        const start = { assignment, emit, signal: eitherSignal(aborted, signal), ...ties }
        return (await this.#conversation.work(start)) as RunResult<Answer>
      } finally {
        this.#running = undefined
      }
    })
    this.#running = run
    return run
  }

  #refuseWhenBusy(hint: string): void {
    if (this.#undoing !== undefined) throw undoing()
    if (this.#running === undefined) return
    throw new CodeActError('SESSION_BUSY', 'The session is working on another task.', { hint })
  }

  #refuseWhenClosed(): void {
    if (!this.#isClosed) return
    throw new CodeActError('SESSION_CLOSED', 'The session is closed.', { hint: 'Start another one.' })
  }
}

function undoing(): CodeActError {
  return new CodeActError('SESSION_BUSY', 'The session is undoing a step.', { hint: 'Await that first.' })
}
