import {
  CodeActError,
  type CodeActEvent,
  type ErrorJson,
  type RunResult,
  type Step,
  type StopReason,
} from '@codeact/spec'
import type { LoopContext } from './loop/context.ts'
import { openScope, type Scope } from './loop/scope.ts'
import { type StepOutcome, takeStep } from './loop/step.ts'
import { taskMessage } from './loop/transcript.ts'
import { addUsage, NO_USAGE } from './usage.ts'

/**
 * The whole plot: the task goes into the transcript; step after step the model speaks, its code runs, and what happened goes
 * back; until there is an answer, or a reason to stop without one.
 */
export async function runTask(
  context: LoopContext,
  task: string,
  emit: (event: CodeActEvent) => void,
  signal: AbortSignal,
): Promise<RunResult> {
  const scope = openScope(emit, signal)
  announce(context, task, scope)
  const steps: Step[] = []
  try {
    context.transcript.push(taskMessage(task))
    return conclude(await loop(context, steps, scope), scope)
  } catch (error) {
    const soFar = ended('aborted', lastWords(steps), steps)
    if (signal.aborted) return conclude(soFar, scope)
    conclude({ ...soFar, stop: 'error' }, scope, CodeActError.json(error))
    throw error
  }
}

async function loop(context: LoopContext, steps: Step[], scope: Scope): Promise<RunResult> {
  let last: StepOutcome | undefined
  for (let index = 1; index <= context.maxSteps; index++) {
    last = await takeStep(context, index, scope, last)
    const { step, answer } = last
    steps.push(step)
    if (step.finish === 'refusal') return ended('refusal', lastWords(steps), steps)
    if (answer !== undefined) return ended('answer', answer, steps)
  }
  return ended('max-steps', lastWords(steps), steps)
}

function announce({ model, parser, sandbox }: LoopContext, task: string, { run, emit }: Scope): void {
  emit({ type: 'run-start', id: run, task, model: model.id, parser: parser.name, executor: sandbox.executorName })
}

type Ended = Omit<RunResult, 'stop'> & { readonly stop: StopReason | 'error' }

function conclude<R extends Ended>(result: R, { run, emit }: Scope, error?: ErrorJson): R {
  const { stop, answer, steps, usage } = result
  emit({
    type: 'run-end',
    id: run,
    stop,
    answer,
    steps: steps.length,
    usage,
    ...(error === undefined ? {} : { error }),
  })
  return result
}

function ended(stop: StopReason, answer: string, steps: readonly Step[]): RunResult {
  return { stop, answer, steps, usage: steps.map(({ usage }) => usage).reduce(addUsage, NO_USAGE) }
}

/** What the model said last: the nearest thing to an answer that there is. */
function lastWords(steps: readonly Step[]): string {
  const parts = steps.at(-1)?.message.content ?? []
  return parts
    .map((part) => (part.type === 'text' ? part.text : ''))
    .join('')
    .trim()
}
