import { CodeActError, type CodeActEvent, type Message, Run, type RunResult } from '@codeact/spec'
import type { LoopContext } from './loop/context.ts'
import { eitherSignal } from './loop/scope.ts'
import { runTask } from './run.ts'

/** A conversation: what was said and the sandbox's variables are kept from one task to the next. */
export class Session<Answer = unknown> implements AsyncDisposable {
  readonly #context: LoopContext
  #running: Run<CodeActEvent, RunResult<Answer>> | undefined
  #isClosed = false

  constructor(context: LoopContext) {
    this.#context = context
  }

  /** All that was said and not left out since, the system prompt first. */
  get messages(): readonly Message[] {
    return [...this.#context.transcript.messages]
  }

  /** Works on a task. Throws `SESSION_BUSY` while another one runs, and `SESSION_CLOSED` after `close()`. */
  run(task: string, options: { readonly signal?: AbortSignal } = {}): Run<CodeActEvent, RunResult<Answer>> {
    this.#refuseWhenClosed()
    if (this.#running !== undefined) {
      throw new CodeActError('SESSION_BUSY', 'The session is working on another task.', {
        hint: 'Await that run first, or add to its task: session.send(text).',
      })
    }
    const run = new Run<CodeActEvent, RunResult<Answer>>(async (emit, aborted) => {
      const signal = eitherSignal(aborted, options.signal)
      try {
        return (await runTask(this.#context, { task, emit, signal })) as RunResult<Answer>
      } finally {
        this.#running = undefined
      }
    })
    this.#running = run
    return run
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
    this.#context.inbox.put(text)
  }

  /** Stops what still runs, and ends the sandbox. Idempotent. */
  async close(): Promise<void> {
    this.#isClosed = true
    const running = this.#running
    running?.abort()
    await running?.catch(() => {})
    await this.#context.sandbox.close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  #refuseWhenClosed(): void {
    if (!this.#isClosed) return
    throw new CodeActError('SESSION_CLOSED', 'The session is closed.', { hint: 'Start another one.' })
  }
}
