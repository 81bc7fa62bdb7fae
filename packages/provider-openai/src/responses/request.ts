import type { ModelRequest, ToolDeclaration } from '@codeact/spec'
import type { OpenAI } from 'openai'
import { refusesReasoning } from '../known-models.ts'
import type { Fields } from '../settings.ts'
import { cacheKey } from './cache-key.ts'
import { encodeInput } from './encode-input.ts'

export type ResponsesRequest = OpenAI.Responses.ResponseCreateParamsStreaming

/**
 * The body of one request. Nothing is stored at the server: the transcript says it all, the encrypted reasoning included.
 * This API has no stop sequences.
 */
export function responsesRequest(fields: Fields, request: ModelRequest): ResponsesRequest {
  const { messages, tools = [] } = request
  const [first, ...others] = messages
  const instructions = first?.role === 'system' ? first.content : undefined
  return {
    prompt_cache_key: cacheKey(fields.model, request),
    ...fields,
    ...(instructions === undefined ? {} : { instructions }),
    input: encodeInput(instructions === undefined ? messages : others, fields.model),
    ...(tools.length > 0 ? { tools: tools.map(encodeTool) } : {}),
    store: false,
    ...(refusesReasoning(fields.model) ? {} : { include: ['reasoning.encrypted_content'] }),
    stream: true,
  }
}

/** Strict is this API's default, and refuses many a schema. */
function encodeTool({ name, description, parameters }: ToolDeclaration): OpenAI.Responses.FunctionTool {
  return { type: 'function', name, description, parameters, strict: false }
}
