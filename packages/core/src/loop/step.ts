import { type Action, CodeActError, joinObservations, newId, type Step } from '@codeact/spec'
import { NO_USAGE } from '../usage.ts'
import { askModel, type Reply } from './ask-model.ts'
import type { LoopContext } from './context.ts'
import { runActions } from './run-actions.ts'
import type { Scope } from './scope.ts'
import type { StepView, StopRule } from './stop-rules.ts'
import { noteMessage } from './transcript.ts'

export interface StepOutcome {
  readonly step: Step
  /** Present when a stop rule found one. */
  readonly answer?: string
}

/** One turn: ask the model, run what it wrote, note what it is to be told. */
export async function takeStep(context: LoopContext, index: number, scope: Scope): Promise<StepOutcome> {
  const id = newId('step')
  const span = { type: 'step-end', id, parent: scope.run } as const
  scope.emit({ type: 'step-start', id, parent: scope.run, index })
  try {
    const outcome = await turn(context, index, scope, id)
    scope.emit({ ...span, actions: outcome.step.actions, usage: outcome.step.usage })
    return outcome
  } catch (error) {
    scope.emit({ ...span, actions: [], usage: NO_USAGE, error: CodeActError.json(error) })
    throw error
  }
}

async function turn(context: LoopContext, index: number, scope: Scope, id: string): Promise<StepOutcome> {
  const { transcript, stopRules } = context
  const reply = await askModel(context, scope, id)
  transcript.push(reply.message)
  const { executions, observations, messages } = await runActions(runnable(reply), context, scope, id)
  const { text, actions, finish, message, usage } = reply
  const step: Step = { index, message, finish, actions, executions, usage }
  const answer = finish === 'length' ? undefined : firstAnswer(stopRules, { text, actions, executions, finish })
  if (answer !== undefined) return { step, answer }
  const notes = notesFor(reply)
  for (const told of [...messages, ...notes.map(noteMessage)]) transcript.push(told)
  const observation = joinObservations([...observations, ...notes.map((note) => ({ text: note, images: [] }))])
  if (observation === undefined) return { step }
  scope.emit({ type: 'observation', id: newId('observation'), parent: id, observation })
  return { step: { ...step, observation } }
}

/** Code that was cut off because the tokens ran out is half a program: it is not run. */
function runnable({ actions, finish }: Reply): readonly Action[] {
  return finish === 'length' ? actions.filter((action) => action.type !== 'code' || action.closed) : actions
}

const CUT_IN_CODE =
  'Your reply ran out of tokens inside a code block, so that block was not run. Write it again, shorter or in parts.'
const CUT_IN_TEXT = 'Your reply ran out of tokens. Go on where it stopped.'
const NOTHING = 'Your reply was empty. Write code, or give the answer.'

/** What the model must be told besides what its code gave. */
function notesFor({ finish, actions }: Reply): string[] {
  if (finish === 'pause') return []
  if (finish !== 'length') return actions.length === 0 ? [NOTHING] : []
  return [actions.some((action) => action.type === 'code' && !action.closed) ? CUT_IN_CODE : CUT_IN_TEXT]
}

function firstAnswer(rules: readonly StopRule[], view: StepView): string | undefined {
  for (const rule of rules) {
    const answer = rule(view)
    if (answer !== undefined) return answer
  }
  return undefined
}
