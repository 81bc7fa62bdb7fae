import {
  CodeActError,
  type EventBody,
  invokeTool,
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
    ? encodeOutcome(tool, await invokeTool(tool, checked.value, contextOf(raw, scope), scope.onToolCall))
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

function contextOf({ callId }: RawToolCall, { executionId, signal, context, emit }: ToolScope): ToolContext {
  return { callId, executionId, signal, context, emit }
}

function encodeOutcome(tool: Tool, outcome: ToolOutcome): WireOutcome {
  if (!outcome.ok) return outcome
  try {
    return { ok: true, value: encodeValue(outcome.value, tool.returns?.jsonSchema) }
  } catch (error) {
    return failure('TypeError', `${tool.name}() gave a value that cannot be used here: ${messageOf(error)}`)
  }
}

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
