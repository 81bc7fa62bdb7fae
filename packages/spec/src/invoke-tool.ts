import type { Tool, ToolCall, ToolContext, ToolOutcome } from './tool.ts'

/**
 * Runs a tool whose input was checked. What it throws becomes an outcome, as name and message only: a stack or a cause would
 * show the host's paths.
 *
 * @param onToolCall stands in front of the tool: it is given the call, and decides what comes of it
 */
export async function invokeTool(
  tool: Tool,
  input: unknown,
  context: ToolContext,
  onToolCall?: (call: ToolCall, context: ToolContext) => Promise<ToolOutcome>,
): Promise<ToolOutcome> {
  const invoke = (): Promise<ToolOutcome> =>
    settled(async () => ({ ok: true, value: await tool.execute(input, context) }))
  if (onToolCall === undefined) return invoke()
  return settled(() => onToolCall({ callId: context.callId, tool, input, invoke }, context))
}

async function settled(work: () => Promise<ToolOutcome>): Promise<ToolOutcome> {
  try {
    return await work()
  } catch (error) {
    const [name, message] = error instanceof Error ? [error.name, error.message] : ['Error', String(error)]
    return { ok: false, error: { name, message } }
  }
}
