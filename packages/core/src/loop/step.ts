import { type Action, CodeActError, newId, type Step } from '@codeact/spec'
import { NO_USAGE } from '../usage.ts'
import { askModel, type Reply } from './ask-model.ts'
import type { LoopContext } from './context.ts'
import { isCut, openCode } from './cut-code.ts'
import { runActions } from './run-actions.ts'
import type { Scope } from './scope.ts'
import type { StepView, StopRule } from './stop-rules.ts'
import { isResult, note, tell } from './tell.ts'

export interface StepOutcome {
  readonly step: Step
  /** Present when a stop rule found one. */
  readonly answer?: string
  /** Present when the reply was cut inside a block of code: what the next one goes on with. */
  readonly open?: string
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
  const { transcript, stopRules } = context
  const reply = await askModel(context, scope, id, before)
  transcript.push(reply.message)
  const { executions, told } = await runActions(doable(reply), context, scope, id)
  const { text, actions, finish, message, usage } = reply
  const step: Step = { index, message, finish, actions, executions, usage }
  const observations = told.map(({ observation }) => observation)
  const view: StepView = { text, actions, executions, observations, finish }
  const answer = isCut(finish) ? undefined : firstAnswer(stopRules, view)
  if (answer !== undefined) return { step: tell(context, told.filter(isResult), step, scope, id), answer }
  // After a block that failed, the next one is not run: there is nothing to go on with.
  const open = executions.every(({ status }) => status === 'ok') ? openCode(reply) : undefined
  const notes = notesFor(reply, open !== undefined).map(note)
  return { step: tell(context, [...told, ...notes], step, scope, id), open }
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

const GO_ON =
  'Your reply ran out of tokens inside a code block, so that block was not run yet. Go on with the very next character, and open no block: what you write is joined to it, and then it is run. Or open a block and write all of it anew, shorter or in parts.'
const CUT_IN_CODE =
  'Your reply ran out of tokens inside a code block, so that block was not run. Write it again, shorter or in parts.'
const CUT_IN_CALL =
  'Your reply was cut off inside this call, so its code was not run. Write it again, shorter or in several calls: what ran before is still there.'
const CUT_IN_TEXT = 'Your reply ran out of tokens. Go on where it stopped.'
const NOTHING = 'Your reply was empty. Write code, or give the answer.'

/** What the model must be told besides what its code gave. */
function notesFor({ finish, actions }: Reply, mayGoOn: boolean): string[] {
  if (finish === 'pause' || endsInCall(actions)) return []
  if (finish !== 'length') return actions.length === 0 ? [NOTHING] : []
  if (mayGoOn) return [GO_ON]
  return [actions.some((action) => action.type === 'code' && !action.closed) ? CUT_IN_CODE : CUT_IN_TEXT]
}

/** Then what there is to say is the result of that call. */
function endsInCall(actions: readonly Action[]): boolean {
  const last = actions.at(-1)
  return last !== undefined && last.type !== 'answer' && last.callId !== undefined
}

function firstAnswer(rules: readonly StopRule[], view: StepView): string | undefined {
  for (const rule of rules) {
    const answer = rule(view)
    if (answer !== undefined) return answer
  }
  return undefined
}
