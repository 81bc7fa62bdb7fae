import {
  type ExecuteOptions,
  invokeTool,
  type JsonValue,
  type Observation,
  type Tool,
  type ToolAction,
  type ToolContext,
  type ToolOutcome,
} from '@codeact/spec'
import { asJson } from './as-json.ts'
import type { LoopContext } from './context.ts'
import { observeText } from './observe.ts'
import { orStopped, type Scope, throwIfStopped } from './scope.ts'

type Failure = Extract<ToolOutcome, { ok: false }>
type Outcome = { readonly ok: true; readonly value: JsonValue } | Failure

/** A tool that the model called itself: checked, run and told as one that code calls is. */
export async function callTool(
  { callId, name, input }: ToolAction,
  { prompt, telling }: LoopContext,
  scope: Scope,
  step: string,
): Promise<Observation> {
  const tool = prompt.tools.find((one) => one.name === name)
  if (tool === undefined) return { ...observeText(`There is no tool ${JSON.stringify(name)}.`, telling), isError: true }
  const { signal, emit, context } = scope
  const span = { id: callId, parent: step, name }
  emit({ type: 'tool-start', ...span, input })
  const onToolCall = scope.budget.call.bind(scope.budget)
  const work = run(tool, input, { callId, executionId: step, signal, context, emit }, onToolCall)
  const outcome = await orStopped(scope, work).catch((error: Error) => failure('AbortError', error.message))
  emit({ type: 'tool-end', ...span, outcome })
  throwIfStopped(scope)
  if (outcome.ok) return observeText(textOf(outcome.value), telling)
  return { ...observeText(`${outcome.error.name}: ${outcome.error.message}`, telling), isError: true }
}

/** A text is told as it is; one without a character would be nothing to see. */
function textOf(value: JsonValue): string {
  return typeof value === 'string' && value !== '' ? value : JSON.stringify(value)
}

async function run(
  tool: Tool,
  input: JsonValue,
  context: ToolContext,
  onToolCall: ExecuteOptions['onToolCall'],
): Promise<Outcome> {
  try {
    const checked = await tool.parameters.validate(input)
    if (!checked.ok) return failure('TypeError', `${tool.name}(): ${checked.issues.join('; ')}`)
    const outcome = await invokeTool(tool, checked.value, context, onToolCall)
    return outcome.ok ? { ok: true, value: asJson(outcome.value) } : outcome
  } catch (error) {
    return failure('TypeError', `${tool.name}(): ${error instanceof Error ? error.message : String(error)}`)
  }
}

function failure(name: string, message: string): Failure {
  return { ok: false, error: { name, message } }
}
