import type { ModelRequest, ToolDeclaration } from '@codeact/spec'
import type { OpenAI } from 'openai'
import { refusesStop } from '../known-models.ts'
import type { Fields } from '../settings.ts'
import { encodeMessages } from './encode-messages.ts'

export type ChatRequest = OpenAI.Chat.Completions.ChatCompletionCreateParamsStreaming

/** The body of one request. What a call does not use is absent, so that nothing foreign reaches a strict server. */
export function chatRequest(fields: Fields, request: ModelRequest): ChatRequest {
  const { messages, tools = [], stop = [] } = request
  return {
    ...fields,
    messages: encodeMessages(messages),
    ...(tools.length > 0 ? { tools: tools.map(encodeTool) } : {}),
    ...(stop.length > 0 && !refusesStop(fields.model) ? { stop: [...stop] } : {}),
    stream: true,
    stream_options: { include_usage: true },
  }
}

function encodeTool({ name, description, parameters }: ToolDeclaration): OpenAI.Chat.Completions.ChatCompletionTool {
  return { type: 'function', function: { name, description, parameters } }
}
