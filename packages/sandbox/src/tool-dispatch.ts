import {
  CodeActError,
  type EventBody,
  type JsonValue,
  type Tool,
  type ToolCall,
  type ToolContext,
  type ToolOutcome,
} from '@codeact/spec'
import { bindArguments } from './tool-arguments.ts'
import { encodeValue } from './values/encode.ts'

/** A call as it came out of the sandbox: nothing about it has been checked. */
export interface RawToolCall {
  readonly callId: string
  readonly name: string
  readonly args: readonly unknown[]
  readonly kwargs: Record<string, unknown>
}

/** What a cell gives its tool calls. */
export interface ToolScope {
  readonly executionId: string
  readonly signal: AbortSignal
  readonly context: unknown
  readonly emit: (body: EventBody) => void
  readonly onToolCall?: (call: ToolCall, context: ToolContext) => Promise<ToolOutcome>
}

/** The outcome of a call, and its value as it goes over the wire. */
export type WireOutcome = { readonly ok: true; readonly value: JsonValue } | Extract<ToolOutcome, { ok: false }>

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/

/** The tools of a sandbox by name. Throws `TOOL_INVALID` for a name that no language could call, or that comes twice. */
export function toolTable(tools: readonly Tool[]): ReadonlyMap<string, Tool> {
  const table = new Map<string, Tool>()
  for (const tool of tools) {
    if (!NAME.test(tool.name)) {
      throw new CodeActError('TOOL_INVALID', `A tool cannot be named ${JSON.stringify(tool.name)}.`, {
        hint: 'Use letters, digits and _, not starting with a digit.',
      })
    }
    if (table.has(tool.name)) throw new CodeActError('TOOL_INVALID', `Two tools are named ${tool.name}.`)
    table.set(tool.name, tool)
  }
  return table
}

/** One tool call: name and arguments are checked, the tool runs on the host, both ends are told as events. */
export async function dispatchTool(
  tools: ReadonlyMap<string, Tool>,
  raw: RawToolCall,
  scope: ToolScope,
): Promise<WireOutcome> {
  const tool = tools.get(raw.name)
  if (tool === undefined) return failure('NameError', `there is no tool named ${JSON.stringify(raw.name.slice(0, 80))}`)
  const checked = await checkInput(tool, raw)
  const input = checked.ok ? checked.value : { args: raw.args, kwargs: raw.kwargs }
  const span = { id: raw.callId, parent: scope.executionId, name: tool.name }
  scope.emit({ type: 'tool-start', ...span, input: printable(input) })
  const outcome = checked.ok
    ? encodeOutcome(tool, await invoke(tool, raw.callId, checked.value, scope))
    : checked.failure
  scope.emit({ type: 'tool-end', ...span, outcome })
  return outcome
}

type CheckedInput =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly failure: WireOutcome }

async function checkInput(tool: Tool, raw: RawToolCall): Promise<CheckedInput> {
  try {
    const bound = bindArguments(tool.parameters.jsonSchema, raw.args, raw.kwargs)
    const validation = await tool.parameters.validate(bound)
    if (validation.ok) return validation
    return { ok: false, failure: failure('TypeError', `${tool.name}(): ${validation.issues.join('; ')}`) }
  } catch (error) {
    return { ok: false, failure: failure('TypeError', `${tool.name}() ${messageOf(error)}`) }
  }
}

async function invoke(tool: Tool, callId: string, input: unknown, scope: ToolScope): Promise<ToolOutcome> {
  const { executionId, signal, context, emit, onToolCall } = scope
  const toolContext: ToolContext = { callId, executionId, signal, context, emit }
  const run = (): Promise<ToolOutcome> =>
    settled(async () => ({ ok: true, value: await tool.execute(input, toolContext) }))
  const call: ToolCall = { callId, tool, input, invoke: run }
  return onToolCall === undefined ? run() : settled(() => onToolCall(call, toolContext))
}

async function settled(work: () => Promise<ToolOutcome>): Promise<ToolOutcome> {
  try {
    return await work()
  } catch (error) {
    return failure(error instanceof Error ? error.name : 'Error', messageOf(error))
  }
}

function encodeOutcome(tool: Tool, outcome: ToolOutcome): WireOutcome {
  if (!outcome.ok) return outcome
  try {
    return { ok: true, value: encodeValue(outcome.value, tool.returns?.jsonSchema) }
  } catch (error) {
    return failure('TypeError', `${tool.name}() gave a value that cannot be used here: ${messageOf(error)}`)
  }
}

/** What a tool threw reaches the code as name and message only: a stack or a cause would show the host's paths. */
function failure(name: string, message: string): Extract<ToolOutcome, { ok: false }> {
  return { ok: false, error: { name, message } }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** An input for the event log; what the wire cannot carry is shown as its text. */
function printable(input: unknown): JsonValue {
  try {
    return encodeValue(input)
  } catch {
    return String(input)
  }
}
