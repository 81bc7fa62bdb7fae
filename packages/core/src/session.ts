import { CodeActError, type CodeActEvent, type Message, Run, type RunResult } from '@codeact/spec'
import type { LoopContext } from './loop/context.ts'
import { eitherSignal } from './loop/scope.ts'
import { runTask } from './run.ts'

/** A conversation: what was said and the sandbox's variables are kept from one task to the next. */
export class Session implements AsyncDisposable {
  readonly #context: LoopContext
  #running: Run<CodeActEvent, RunResult> | undefined
  #isClosed = false

  constructor(context: LoopContext) {
    this.#context = context
  }

  /** All that was said, the system prompt first. */
  get messages(): readonly Message[] {
    return this.#context.transcript.messages
  }

  /** Works on a task. Throws `SESSION_BUSY` while another one runs, and `SESSION_CLOSED` after `close()`. */
  run(task: string, options: { readonly signal?: AbortSignal } = {}): Run<CodeActEvent, RunResult> {
    if (this.#isClosed)
      throw new CodeActError('SESSION_CLOSED', 'The session is closed.', { hint: 'Start another one.' })
    if (this.#running !== undefined) {
      throw new CodeActError('SESSION_BUSY', 'The session is working on another task.', {
        hint: 'Await that run first.',
      })
    }
    const run = new Run<CodeActEvent, RunResult>(async (emit, aborted) => {
      const signal = eitherSignal(aborted, options.signal)
      try {
        return await runTask(this.#context, task, emit, signal)
      } finally {
        this.#running = undefined
      }
    })
    this.#running = run
    return run
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
}
