import { CodeActError, type Rollback, type Sandbox } from '@codeact/spec'
import { orStopped, type Scope } from '../loop/scope.ts'

/** What came of a checkpoint: its id, or why there is none. */
export type Taken = { readonly id: string } | { readonly why: unknown }

/**
 * The variables as they were before the code of each step. A checkpoint is taken when a step with code is over, while the model
 * thinks, or else before the first code of the next one; where the variables have not changed since, there is no second one.
 */
export class Checkpoints {
  /** How many steps with code can be undone. */
  readonly limit: number
  /** Known once there was a checkpoint. */
  #sandbox: Sandbox | undefined
  /** Of the variables as they are now. */
  #present: Promise<Taken> | undefined
  #before: Taken | undefined

  constructor(limit: number) {
    this.limit = limit
  }

  /** From before this step's code; undefined where none has run in it. */
  get before(): Taken | undefined {
    return this.#before
  }

  beginStep(): void {
    this.#before = undefined
  }

  /**
   * Waited for before code runs. Rejects where the very first one cannot be taken: then the sandbox cannot do it. A later one
   * that is missing is told to whoever undoes its step.
   */
  async beforeCode(sandbox: Sandbox, scope: Scope): Promise<void> {
    if (this.#before !== undefined) return
    this.#present ??= take(sandbox)
    const taken = await orStopped(scope, this.#present)
    this.#present = undefined
    if ('why' in taken && this.#sandbox === undefined) throw taken.why
    this.#sandbox = sandbox
    this.#before = taken
  }

  endStep(): void {
    if (this.#sandbox !== undefined && this.#before !== undefined) this.#present ??= take(this.#sandbox)
  }

  /** Puts the variables back. They then are those of that checkpoint, so that the next step needs no other. */
  async restore(taken: Taken): Promise<Rollback> {
    if ('why' in taken) throw notTaken(taken.why)
    const rollback = await this.#sandbox?.restore?.(taken.id)
    const stale = await this.#present
    if (stale !== undefined && stale !== taken) this.release(stale)
    this.#present = Promise.resolve(taken)
    return rollback ?? { restored: [], lost: [] }
  }

  /** No step goes back to it any more. */
  release(taken: Taken): void {
    // One that could not be released is dropped by the sandbox when there are too many.
    if ('id' in taken) this.#sandbox?.release?.(taken.id).catch(() => {})
  }
}

async function take(sandbox: Sandbox): Promise<Taken> {
  try {
    if (sandbox.checkpoint === undefined || sandbox.restore === undefined) throw unsupported()
    return { id: await sandbox.checkpoint() }
  } catch (why) {
    return { why }
  }
}

function unsupported(): CodeActError {
  return new CodeActError('CHECKPOINT_UNSUPPORTED', 'Steps cannot be undone: this sandbox takes no checkpoints.', {
    hint: 'Leave undo out of agent.session(), or take an executor that has checkpoints, such as local().',
  })
}

function notTaken(why: unknown): CodeActError {
  const reason = why instanceof Error ? why.message : String(why)
  return new CodeActError('UNDO_IMPOSSIBLE', `The step cannot be undone: there is no checkpoint before it. ${reason}`, {
    hint: 'All is as it was: go on with session.run(task).',
    cause: why,
  })
}
