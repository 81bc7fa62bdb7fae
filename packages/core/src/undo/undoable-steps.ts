import { CodeActError, type CodeActEvent, eventStamp, newId, type Rollback } from '@codeact/spec'
import type { Assignment } from '../assignment.ts'
import type { LoopContext } from '../loop/context.ts'
import type { History, Mark } from '../record/history.ts'
import type { Checkpoints, Taken } from './checkpoints.ts'

/** What came of undoing a step. */
export interface Undone extends Rollback {
  /** Which step of its run it was, from 1. */
  readonly step: number
  /** Where it was the first step on a task: that task, which is not in the transcript any more. */
  readonly task?: string
}

/** Where a step began. */
interface Start {
  readonly mark: Mark
  /** False where nothing of the session had been told yet: its first run begins there. */
  readonly isStated: boolean
  readonly task?: string
}

interface UndoableStep extends Start {
  readonly id: string
  readonly index: number
  /** The variables from before it, where code has run in it. */
  before?: Taken
}

/** Without code, steps hold no memory to speak of; but the messages that a compaction left out since. */
const MOST_STEPS = 100
const UNCHANGED: Rollback = { restored: [], lost: [] }

/** The steps that can be undone, the last one first: what was said before each, and the variables. */
export class UndoableSteps {
  readonly #checkpoints: Checkpoints
  readonly #history: History
  readonly #context: LoopContext
  readonly #steps: UndoableStep[] = []
  #run: Start | undefined

  constructor(checkpoints: Checkpoints, history: History, context: LoopContext) {
    this.#checkpoints = checkpoints
    this.#history = history
    this.#context = context
  }

  /** What a run is told at first goes with its first step. */
  beginRun({ task, isNew }: Assignment): void {
    const { isStated } = this.#context.transcript
    this.#run = { mark: this.#history.mark(), isStated, ...(isNew && { task }) }
  }

  /** Called when the history has seen it. */
  see(event: CodeActEvent): void {
    if (event.parent !== event.run) return
    if (event.type === 'step-start') this.#begin(event.id, event.index)
    else if (event.type === 'step-end') this.#end()
  }

  /** @param tell called with what is to be written down */
  async undo(tell: (event: CodeActEvent) => void): Promise<Undone> {
    const step = this.#steps.at(-1)
    if (step === undefined) throw nothingToUndo(this.#checkpoints.limit)
    const { before, index, task } = step
    const rollback = before === undefined ? UNCHANGED : await this.#checkpoints.restore(before)
    this.#steps.pop()
    this.#goBack(step, rollback, tell)
    return { step: index, ...(task !== undefined && { task }), ...rollback }
  }

  #begin(id: string, index: number): void {
    this.#checkpoints.beginStep()
    const start = this.#run ?? { mark: this.#history.mark(), isStated: true }
    this.#run = undefined
    this.#steps.push({ id, index, ...start })
  }

  #end(): void {
    const step = this.#steps.at(-1)
    if (step === undefined) return
    step.before = this.#checkpoints.before
    this.#checkpoints.endStep()
    // One that was stopped before anything was said is none that anybody knows of.
    if (step.before === undefined && this.#history.isAt(step.mark)) this.#steps.pop()
    while (this.#isFull) this.#forget(this.#steps.shift()?.before)
  }

  #forget(before: Taken | undefined): void {
    if (before !== undefined) this.#checkpoints.release(before)
  }

  get #isFull(): boolean {
    const withCode = this.#steps.filter(({ before }) => before !== undefined).length
    return withCode > this.#checkpoints.limit || this.#steps.length > MOST_STEPS
  }

  #goBack({ id: step, mark, isStated }: UndoableStep, rollback: Rollback, tell: (event: CodeActEvent) => void): void {
    const { transcript, restart } = this.#context
    const session = this.#history.at(mark)
    transcript.goBack(session.messages, isStated)
    if (!isStated) restart?.tellAgain()
    const id = newId('undo')
    tell(eventStamp(id)({ type: 'undo', id, step, session, ...rollback }))
  }
}

function nothingToUndo(limit: number): CodeActError {
  const steps = limit === 1 ? 'one step' : `${limit} steps`
  return new CodeActError('NOTHING_TO_UNDO', 'There is no step to undo.', {
    hint: `Of this session's own steps, ${steps} with code can be undone: agent.session({ undo: ${limit} }).`,
  })
}
