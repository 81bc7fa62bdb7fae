import { type Action, CodeActError, newId, type Step } from '@codeact/spec'
import type { Answer } from '../answer/final-answer.ts'
import { NO_USAGE } from '../usage.ts'
import { askModel, type Reply } from './ask-model.ts'
import type { LoopContext } from './context.ts'
import { isCut, openCode } from './cut-code.ts'
import { findAnswer } from './find-answer.ts'
import { CIRCLING, CUT_IN_CALL, notesFor } from './notes.ts'
import { runActions } from './run-actions.ts'
import type { Scope } from './scope.ts'
import { isResult, note, tell } from './tell.ts'

export interface StepOutcome {
  readonly step: Step
  /** Present when one was found. */
  readonly answer?: Answer
  /** Present when the reply was cut inside a block of code: what the next one goes on with. */
  readonly open?: string
  /** True where the model goes in circles, and was told so before. */
  readonly isStuck?: boolean
}

/** One turn: ask the model, run what it wrote, note what it is to be told. */
export async function takeStep(
  context: LoopContext,
  index: number,
  scope: Scope,
  before?: StepOutcome,
): Promise<StepOutcome> {
  const id = newId('step')
  const span = { type: 'step-end', id, parent: scope.run } as const
  scope.emit({ type: 'step-start', id, parent: scope.run, index })
  try {
    const outcome = await turn(context, index, scope, id, before?.open)
    scope.emit({ ...span, actions: outcome.step.actions, usage: outcome.step.usage })
    return outcome
  } catch (error) {
    scope.emit({ ...span, actions: [], usage: NO_USAGE, error: CodeActError.json(error) })
    throw error
  }
}

async function turn(
  context: LoopContext,
  index: number,
  scope: Scope,
  id: string,
  before: string | undefined,
): Promise<StepOutcome> {
  const { transcript, model } = context
  const reply = await askModel(context, scope, id, before)
  const { text, actions, finish, message, usage } = reply
  scope.budget.endStep(model.id, usage)
  transcript.push(message)
  const { task, signal } = scope
  const ran = await runActions(doable(reply), context, scope, id, { task, step: index, text, signal })
  const { executions, told } = ran
  const step: Step = { index, message, finish, actions, executions, usage }
  const observations = told.map(({ observation }) => observation)
  const { answer, miss } = await findAnswer(context, { index, text, actions, executions, observations, finish }, ran)
  // What the user has said meanwhile goes before an answer: then the run goes on as if there were none.
  if (answer !== undefined && context.inbox.isEmpty) {
    return { step: tell(context, told.filter(isResult), step, scope, id), answer }
  }
  // After a block that failed, the next one is not run: there is nothing to go on with.
  const mayGoOn = !ran.isHeldBack && executions.every(({ status }) => status === 'ok')
  const open = mayGoOn ? openCode(reply) : undefined
  const all = [...told, ...(answer === undefined ? notesFor(reply, open !== undefined, miss) : []).map(note)]
  const state = scope.repeats.note(actions, text, executions, all.map((one) => one.observation.text).join('\n'))
  if (state === 'circling') all.push(note(CIRCLING))
  return { step: tell(context, all, step, scope, id), open, isStuck: state === 'stuck' }
}

/**
 * Code that is not closed runs where the model had ended. Cut off, for want of tokens or by a filter, it is half a program; a
 * native call is told so, for it must have a result.
 */
function doable({ actions, finish }: Reply): readonly Action[] {
  if (!isCut(finish) && finish !== 'refusal') return actions
  return actions.flatMap((action): Action[] => {
    if (action.type !== 'code' || action.closed) return [action]
    const { callId, code } = action
    return callId === undefined ? [] : [{ type: 'invalid', callId, reason: CUT_IN_CALL, text: code }]
  })
}
