import { CodeActError, type CodeActEvent, type Message, Run, type RunResult } from '@codeact/spec'
import type { Assignment } from './assignment.ts'
import type { Conversation } from './conversation.ts'
import { eitherSignal } from './loop/scope.ts'
import type { SavedSession } from './record/saved-session.ts'
import type { RunTies } from './run.ts'
import type { Task } from './task-input.ts'

export interface SessionRunOptions extends RunTies {
  readonly signal?: AbortSignal
}

/** A conversation: what was said and the sandbox's variables are kept from one task to the next. */
export class Session<Answer = unknown> implements AsyncDisposable {
  readonly #conversation: Conversation
  #running: Run<CodeActEvent, RunResult<Answer>> | undefined
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
    if (this.#running === undefined) return
    throw new CodeActError('SESSION_BUSY', 'The session is working on another task.', { hint })
  }

  #refuseWhenClosed(): void {
    if (!this.#isClosed) return
    throw new CodeActError('SESSION_CLOSED', 'The session is closed.', { hint: 'Start another one.' })
  }
}
