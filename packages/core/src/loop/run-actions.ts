import type { Action, CodeAction, Execution, Message, Observation, Sandbox } from '@codeact/spec'
import type { LoopContext } from './context.ts'
import { observe } from './observe.ts'
import { orStopped, type Scope, throwIfStopped } from './scope.ts'
import { noteMessage } from './transcript.ts'

/** What the actions of one reply came to. */
export interface ActionsOutcome {
  readonly executions: readonly Execution[]
  /** What the model is told of each, in order. */
  readonly messages: readonly Message[]
  /** The same for whoever watches. */
  readonly observations: readonly Observation[]
}

const NOT_RUN = 'This block was not run, because one before it failed.'

/** Runs the code of a reply, block after block, up to the first that fails; each action is answered. */
export async function runActions(
  actions: readonly Action[],
  context: LoopContext,
  scope: Scope,
  step: string,
): Promise<ActionsOutcome> {
  const executions: Execution[] = []
  const messages: Message[] = []
  const observations: Observation[] = []
  for (const action of actions) {
    if (action.type === 'answer') continue
    const hasFailed = executions.some(({ status }) => status !== 'ok')
    const { execution, observation } = hasFailed ? said(NOT_RUN) : await act(action, context, scope, step)
    if (execution !== undefined) executions.push(execution)
    observations.push(observation)
    messages.push(action.type === 'code' ? context.parser.reply(action, observation) : noteMessage(observation.text))
  }
  return { executions, messages, observations }
}

interface Outcome {
  readonly execution?: Execution
  readonly observation: Observation
}

async function act(
  action: Exclude<Action, { type: 'answer' }>,
  context: LoopContext,
  scope: Scope,
  step: string,
): Promise<Outcome> {
  if (action.type === 'invalid') return said(action.reason)
  const { languages } = context.prompt
  if (!languages.includes(action.language)) return said(notSpoken(action.language, languages))
  const sandbox = await orStopped(scope, context.sandbox.get(scope))
  const execution = await execute(sandbox, action, context.context, scope, step)
  throwIfStopped(scope)
  return { execution, observation: observe(action, execution) }
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

function said(text: string): Outcome {
  return { observation: { text, images: [] } }
}

function notSpoken(language: string, languages: readonly string[]): string {
  return `This sandbox does not run ${language}. It runs ${languages.join(', ')}.`
}
