import type { Anthropic } from '@anthropic-ai/sdk'
import type { Fault } from '@codeact/model'
import type { ModelRequest, ToolDeclaration } from '@codeact/spec'
import { withCacheMarks } from './cache-marks.ts'
import { encodeMessages } from './encode-messages.ts'

export type MessageRequest = Anthropic.MessageCreateParamsStreaming

export interface Fields {
  readonly model: string
  readonly max_tokens: number
}

/** What a request can do without. */
const OPTIONAL = ['stop_sequences', 'cache_control']

/** The body of one request, without what the server refuses. What a call does not use is absent. */
export function messageRequest(fields: Fields, request: ModelRequest, without: ReadonlySet<string>): MessageRequest {
  const encoded = { ...encodeMessages(request.messages, fields.model), tools: (request.tools ?? []).map(encodeTool) }
  const { tools, system, turns } = without.has('cache_control') ? encoded : withCacheMarks(encoded)
  const stop = without.has('stop_sequences') ? [] : (request.stop ?? []).filter(isAccepted)
  return {
    ...fields,
    ...(tools.length > 0 ? { tools: [...tools] } : {}),
    ...(system.length > 0 ? { system: [...system] } : {}),
    messages: turns.map(({ role, content }) => ({ role, content: [...content] })),
    ...(stop.length > 0 ? { stop_sequences: stop } : {}),
    stream: true,
  }
}

/** The API refuses stop sequences of white space alone; the reader on this side stops at them all the same. */
function isAccepted(sequence: string): boolean {
  return sequence.trim() !== ''
}

function encodeTool({ name, description, parameters }: ToolDeclaration): Anthropic.Tool {
  return { name, description, input_schema: parameters as Anthropic.Tool.InputSchema }
}

/** All of it that the failure names. What is refused is not sent again, unless the option `request` holds it. */
export function refusedFields({ words }: Fault): readonly string[] {
  return OPTIONAL.filter((name) => new RegExp(`\\b${name}\\b`).test(words))
}
