import {
  CodeActError,
  type CodeActEvent,
  type ErrorJson,
  type LimitReached,
  newId,
  type RunResult,
  type Step,
  type StopReason,
} from '@codeact/spec'
import { type Answer, jsonOf } from './answer/final-answer.ts'
import { type Assignment, openingOf } from './assignment.ts'
import { Budget } from './budget/budget.ts'
import { WallClock } from './budget/wall-clock.ts'
import { Repeats } from './control/repeats.ts'
import { compact } from './loop/compact.ts'
import type { LoopContext } from './loop/context.ts'
import { openScope, type Scope, throwIfStopped } from './loop/scope.ts'
import { type StepOutcome, takeStep } from './loop/step.ts'
import { taskMessage } from './loop/transcript.ts'

/** What ties a run to whoever asked for it. */
export interface RunTies {
  /** Handed to tools as `context.context`, in place of the agent's. */
  readonly context?: unknown
  /** The span in another run's stream that this run is part of, where its events go into that stream. */
  readonly parent?: string
}

/** What a run starts from. */
export interface RunStart extends RunTies {
  readonly assignment: Assignment
  readonly emit: (event: CodeActEvent) => void
  /** Its caller's. */
  readonly signal: AbortSignal
}

/**
 * The whole plot: the task goes into the transcript; step after step the model speaks, its code runs, and what happened goes
 * back; until there is an answer, or a reason to stop without one.
 */
export async function runTask(context: LoopContext, start: RunStart): Promise<RunResult> {
  const { assignment, emit, signal } = start
  const { limits, transcript } = context
  const clock = new WallClock(limits.wallTimeMs, signal)
  const scope = openScope({
    task: assignment.task,
    context: start.context ?? context.context,
    emit,
    signal: clock.signal,
    budget: new Budget(limits),
    repeats: new Repeats(limits.repeats),
  })
  const steps: Step[] = []
  for (const message of assignment.messages) transcript.push(message)
  announce(context, scope, start)
  try {
    await context.restart?.open(context.sandbox, scope)
    await context.sandbox.put(assignment.files, scope)
    return conclude(await loop(context, steps, scope), steps, scope)
  } catch (error) {
    if (signal.aborted) return conclude({ stop: 'aborted' }, steps, scope)
    if (clock.reached !== undefined) return conclude({ stop: 'budget', limit: clock.reached }, steps, scope)
    tellEnd({ stop: 'error', answer: lastWords(steps) }, steps, scope, CodeActError.json(error))
    throw error
  } finally {
    // What is said from here on is in the events of the next run.
    transcript.takeNew()
    clock.stop()
  }
}

async function loop(context: LoopContext, steps: Step[], scope: Scope): Promise<End> {
  for (let last: StepOutcome | undefined; ; ) {
    takeIn(context, scope)
    if (!isHalf(last)) await compact(context, scope)
    last = await takeStep(context, steps.length + 1, scope, last)
    steps.push(last.step)
    const end = endOf(last, context, scope)
    if (end !== undefined) return end
  }
}

/** Whether the next reply goes on with this one: then the transcript must be as it was. */
function isHalf(last: StepOutcome | undefined): boolean {
  return last?.open !== undefined || last?.step.finish === 'pause'
}

/** How a run ends; without an answer, with the last words that there are. */
interface End {
  readonly stop: StopReason
  readonly answer?: Answer
  readonly limit?: LimitReached
}

/** Whether a run ends with this step. An answer does not, while there is something that the model has not heard. */
function endOf({ step, answer, isStuck }: StepOutcome, { inbox }: LoopContext, scope: Scope): End | undefined {
  if (step.finish === 'refusal') return { stop: 'refusal' }
  if (answer !== undefined && inbox.isEmpty) return { stop: 'answer', answer }
  throwIfStopped(scope)
  if (isStuck === true) return { stop: 'stuck' }
  const limit = scope.budget.reached
  return limit === undefined ? undefined : { stop: limit.name === 'steps' ? 'max-steps' : 'budget', limit }
}

/** What the user said meanwhile. */
function takeIn({ inbox, transcript }: LoopContext, { run, emit }: Scope): void {
  for (const text of inbox.take()) {
    transcript.push(taskMessage(text))
    emit({ type: 'user-message', id: newId('message'), parent: run, text })
  }
}

function announce(context: LoopContext, { run, task, emit }: Scope, { parent, assignment }: RunStart): void {
  const { model, parser, sandbox } = context
  const cast = { model: model.id, parser: parser.name, executor: sandbox.executorName }
  const span = { id: run, ...(parent === undefined ? {} : { parent }) }
  emit({ type: 'run-start', ...span, task, ...cast, ...openingOf(context, assignment) })
}

function conclude({ stop, answer, limit }: End, steps: readonly Step[], scope: Scope): RunResult {
  const { text = lastWords(steps), value } = answer ?? {}
  const how = { stop, answer: text, ...(limit && { limit }), ...(value !== undefined && { value }) }
  tellEnd(how, steps, scope)
  return { ...how, steps, usage: scope.budget.usage, nested: [...scope.nested] }
}

type HowItEnded = Omit<RunResult, 'stop' | 'steps' | 'usage' | 'nested'> & { readonly stop: StopReason | 'error' }

function tellEnd({ value, ...how }: HowItEnded, steps: readonly Step[], scope: Scope, error?: ErrorJson): void {
  const told = { ...how, ...(value !== undefined && { value: jsonOf(value) }), ...(error && { error }) }
  scope.emit({ type: 'run-end', id: scope.run, ...told, steps: steps.length, usage: scope.budget.usage })
}

/** What the model said last: the nearest thing to an answer that there is. */
function lastWords(steps: readonly Step[]): string {
  const parts = steps.at(-1)?.message.content ?? []
  return parts
    .map((part) => (part.type === 'text' ? part.text : ''))
    .join('')
    .trim()
}
