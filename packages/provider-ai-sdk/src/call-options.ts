import type { JsonValue, ModelRequest, ToolDeclaration } from '@codeact/spec'
import { encodePrompt, type PromptMessage } from './encode-prompt.ts'
import type { AiSdkOptions } from './options.ts'
import type { Target } from './target.ts'

/** What `doStream` is called with, but for the signal. What a call does not use is absent. */
export interface CallOptions {
  readonly prompt: readonly PromptMessage[]
  readonly tools?: readonly object[]
  readonly stopSequences?: readonly string[]
  readonly [more: string]: unknown
}

export function callOptions(
  { name, version }: Target,
  { request: more = {} }: AiSdkOptions,
  { messages, tools = [], stop = [] }: ModelRequest,
): CallOptions {
  return {
    ...(more as Readonly<Record<string, JsonValue>>),
    prompt: encodePrompt(messages, name, version),
    ...(tools.length > 0 ? { tools: tools.map(encodeTool) } : {}),
    ...(stop.length > 0 ? { stopSequences: [...stop] } : {}),
  }
}

function encodeTool({ name, description, parameters }: ToolDeclaration): object {
  return { type: 'function', name, description, inputSchema: parameters }
}
