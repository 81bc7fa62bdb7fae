import type { Action, AnswerAction, CodeAction, EventBody, Execution, Observation, Sandbox } from '@codeact/spec'
import type { Answer } from '../answer/final-answer.ts'
import { type ReviewView, review } from '../control/review.ts'
import { callTool } from './call-tool.ts'
import type { LoopContext } from './context.ts'
import { OpenSpans } from './open-spans.ts'
import { orStopped, type Scope, Stopped, throwIfStopped } from './scope.ts'
import type { Told } from './tell.ts'
import { tellCell } from './tell-cell.ts'

/** What the actions of one reply came to. */
export interface ActionsOutcome {
  readonly executions: readonly Execution[]
  /** What there is to tell of each, in order. */
  readonly told: readonly Told[]
  /** What the code gave as the answer: nothing behind it was run. */
  readonly answer?: Answer
  /** True where not all of the code was run. */
  readonly isHeldBack: boolean
}

type Doing = Exclude<Action, AnswerAction>

const BLOCK_NOT_RUN = 'This block was not run, because one before it failed or was not run.'
const CALL_NOT_RUN = 'This call was not run, because code before it failed or was not run.'
const BLOCK_STOPPED = 'This block was not run, because the run was stopped.'
const CALL_STOPPED = 'This call has no result, because the run was stopped.'

/** Does what a reply asks for, action after action, up to the first code that fails or may not run; each is answered. */
export async function runActions(
  actions: readonly Action[],
  context: LoopContext,
  scope: Scope,
  step: string,
  view: ReviewView,
): Promise<ActionsOutcome> {
  const executions: Execution[] = []
  const told: Told[] = []
  let isHeldBack = false
  for (const action of actions) {
    if (action.type === 'answer') continue
    const mayRun = !isHeldBack && executions.every(({ status }) => status === 'ok')
    const outcome: Outcome = mayRun ? await act(action, context, scope, step, view) : notRun(action)
    const { execution, observation } = outcome
    if (execution !== undefined) executions.push(execution)
    isHeldBack ||= action.type === 'code' && execution === undefined
    told.push({ message: context.parser.reply(action, observation), observation })
    const answer = context.finalAnswer?.take()
    if (answer !== undefined && hasSucceeded(outcome)) return { executions, told, answer, isHeldBack }
  }
  return { executions, told, isHeldBack }
}

interface Outcome {
  readonly execution?: Execution
  readonly observation: Observation
}

function hasSucceeded({ execution, observation }: Outcome): boolean {
  return execution === undefined ? observation.isError !== true : execution.status === 'ok'
}

/** A run that is stopped meanwhile still says what became of the action. */
async function act(
  action: Doing,
  context: LoopContext,
  scope: Scope,
  step: string,
  view: ReviewView,
): Promise<Outcome> {
  if (action.type === 'invalid') return refused(action, action.reason)
  try {
    throwIfStopped(scope)
    if (action.type === 'tool') return { observation: await callTool(action, context, scope, step) }
    return await runCode(action, context, scope, step, view)
  } catch (error) {
    if (error instanceof Stopped) return refused(action, action.type === 'tool' ? CALL_STOPPED : BLOCK_STOPPED)
    throw error
  }
}

async function runCode(
  action: CodeAction,
  context: LoopContext,
  scope: Scope,
  step: string,
  view: ReviewView,
): Promise<Outcome> {
  const { languages } = context.prompt
  if (!languages.includes(action.language)) return refused(action, notSpoken(action.language, languages))
  const reviewed = await review(context.gates, action, view, scope, step)
  if ('denied' in reviewed) return refused(action, `This block was not run: it was not allowed. ${reviewed.denied}`)
  const sandbox = await orStopped(scope, context.sandbox.get(scope))
  await context.checkpoints?.beforeCode(sandbox, scope)
  const execution = await execute(sandbox, reviewed.action, context, scope, step)
  const observation = await tellCell(reviewed, execution, context, sandbox, scope)
  return { execution, observation: execution.status === 'ok' ? observation : { ...observation, isError: true } }
}

/** The cell's events join the run's stream; a cell that is stopped with the run is still heard to its end. */
async function execute(
  sandbox: Sandbox,
  { language, code }: CodeAction,
  context: LoopContext,
  scope: Scope,
  step: string,
): Promise<Execution> {
  context.sandbox.used.add(language)
  const onToolCall = scope.budget.call.bind(scope.budget)
  const cell = sandbox.execute(code, { language, context: scope.context, signal: scope.signal, onToolCall })
  const spans = new OpenSpans()
  for await (const { v, seq, at, run, ...body } of cell) {
    if (isOwn(body, run, 'execution-end')) for (const end of spans.missing()) scope.emit(end)
    const isOutermost = isOwn(body, run, 'execution-start') || isOwn(body, run, 'execution-end')
    scope.emit(isOutermost ? { ...body, parent: step } : body)
    if (!isOutermost) spans.see(body)
  }
  return cell
}

/** Runs inside the cell have cells of their own. */
function isOwn({ type, id }: EventBody, cell: string, wanted: EventBody['type']): boolean {
  return type === wanted && id === cell
}

function notRun(action: Doing): Outcome {
  return refused(action, action.callId === undefined ? BLOCK_NOT_RUN : CALL_NOT_RUN)
}

/** To a native tool call this is an error; of a block in a text it is a remark. */
function refused({ callId }: Doing, text: string): Outcome {
  return { observation: { text, images: [], ...(callId === undefined ? {} : { isError: true }) } }
}

function notSpoken(language: string, languages: readonly string[]): string {
  return `This sandbox does not run ${language}. It runs ${languages.join(', ')}.`
}
