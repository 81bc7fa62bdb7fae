import type { Action, AnswerAction, CodeAction, Execution, Observation, Sandbox } from '@codeact/spec'
import { callTool } from './call-tool.ts'
import type { LoopContext } from './context.ts'
import { observe } from './observe.ts'
import { orStopped, type Scope, throwIfStopped } from './scope.ts'
import type { Told } from './tell.ts'

/** What the actions of one reply came to. */
export interface ActionsOutcome {
  readonly executions: readonly Execution[]
  /** What there is to tell of each, in order. */
  readonly told: readonly Told[]
}

type Doing = Exclude<Action, AnswerAction>

const BLOCK_NOT_RUN = 'This block was not run, because one before it failed.'
const CALL_NOT_RUN = 'This call was not run, because code before it failed.'

/** Does what a reply asks for, action after action, up to the first code that fails; each action is answered. */
export async function runActions(
  actions: readonly Action[],
  context: LoopContext,
  scope: Scope,
  step: string,
): Promise<ActionsOutcome> {
  const executions: Execution[] = []
  const told: Told[] = []
  for (const action of actions) {
    if (action.type === 'answer') continue
    const hasFailed = executions.some(({ status }) => status !== 'ok')
    const { execution, observation } = hasFailed ? notRun(action) : await act(action, context, scope, step)
    if (execution !== undefined) executions.push(execution)
    told.push({ message: context.parser.reply(action, observation), observation })
  }
  return { executions, told }
}

interface Outcome {
  readonly execution?: Execution
  readonly observation: Observation
}

async function act(action: Doing, context: LoopContext, scope: Scope, step: string): Promise<Outcome> {
  if (action.type === 'invalid') return refused(action, action.reason)
  if (action.type === 'tool') return { observation: await callTool(action, context, scope, step) }
  const { languages } = context.prompt
  if (!languages.includes(action.language)) return refused(action, notSpoken(action.language, languages))
  const sandbox = await orStopped(scope, context.sandbox.get(scope))
  const execution = await execute(sandbox, action, context.context, scope, step)
  throwIfStopped(scope)
  const isOk = execution.status === 'ok'
  return { execution, observation: { ...observe(action, execution), ...(isOk ? {} : { isError: true }) } }
}

/** The cell's events join the run's stream; a cell that is stopped with the run is still heard to its end. */
async function execute(
  sandbox: Sandbox,
  { language, code }: CodeAction,
  context: unknown,
  scope: Scope,
  step: string,
): Promise<Execution> {
  const cell = sandbox.execute(code, { language, context, signal: scope.signal })
  for await (const { v, seq, at, run, ...body } of cell) {
    const isOutermost = body.type === 'execution-start' || body.type === 'execution-end'
    scope.emit(isOutermost ? { ...body, parent: step } : body)
  }
  return cell
}

function notRun(action: Doing): Outcome {
  return refused(action, action.callId === undefined ? BLOCK_NOT_RUN : CALL_NOT_RUN)
}

/** To a native tool call this is an error; of a block in a text it is a remark, and what else the text says may be an answer. */
function refused({ callId }: Doing, text: string): Outcome {
  return { observation: { text, images: [], ...(callId === undefined ? {} : { isError: true }) } }
}

function notSpoken(language: string, languages: readonly string[]): string {
  return `This sandbox does not run ${language}. It runs ${languages.join(', ')}.`
}
