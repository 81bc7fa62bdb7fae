import type { Anthropic } from '@anthropic-ai/sdk'
import type { AssistantMessage, ImagePart, ReasoningPart, TextPart, ToolCallPart, ToolMessage } from '@codeact/spec'
import { isThinking } from './thinking.ts'

export type Block = Anthropic.ContentBlockParam
type Shown = Anthropic.TextBlockParam | Anthropic.ImageBlockParam

export const PROVIDER = 'anthropic'

/** What is shown to the model. A text of white space alone is left out: the API refuses it. */
export function encodeParts(parts: readonly (TextPart | ImagePart)[]): Shown[] {
  return parts.flatMap((part): Shown[] => (part.type === 'text' ? encodeText(part.text) : [encodeImage(part)]))
}

export function encodeText(text: string): Anthropic.TextBlockParam[] {
  return text.trim() === '' ? [] : [{ type: 'text', text }]
}

export function encodeResult({ callId, content, isError }: ToolMessage): Anthropic.ToolResultBlockParam {
  const shown = encodeParts(content)
  return {
    type: 'tool_result',
    tool_use_id: callId,
    ...(shown.length === 0 ? {} : { content: shown }),
    ...(isError ? { is_error: true } : {}),
  }
}

/** A reply, as it goes back to `model`. Thinking at its very end is left out: nothing follows from it, and the API refuses it. */
export function encodeReply({ content }: AssistantMessage, model: string): Block[] {
  const blocks = content.flatMap((part): Block[] => {
    if (part.type === 'text') return encodeText(part.text)
    return part.type === 'tool-call' ? [encodeCall(part)] : encodeOwn(part, model)
  })
  return blocks.slice(0, blocks.findLastIndex((block) => !isThinking(block)) + 1)
}

/** What the API gave to be kept, untouched. Another model's is left out: its signature is not valid here. */
function encodeOwn(part: ReasoningPart, model: string): Block[] {
  return part.provider === PROVIDER && part.model === model ? [part.opaque as unknown as Block] : []
}

function encodeCall({ callId, name, json }: ToolCallPart): Anthropic.ToolUseBlockParam {
  return { type: 'tool_use', id: callId, name, input: inputOf(json) }
}

/** The API takes objects only. Arguments that are none go back as text, under the name that it suggests for them. */
function inputOf(json: string): unknown {
  try {
    const input: unknown = JSON.parse(json)
    if (typeof input === 'object' && input !== null && !Array.isArray(input)) return input
  } catch {
    // Told below.
  }
  return { INVALID_JSON: json }
}

const SEEN = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'] as const

/** The API refuses a request with an image of another kind, so such a one is told of in words. */
function encodeImage({ mediaType, data }: ImagePart): Shown {
  const media_type = SEEN.find((type) => type === mediaType)
  if (media_type === undefined)
    return { type: 'text', text: `(an image of the type ${mediaType}, which you cannot see)` }
  return { type: 'image', source: { type: 'base64', media_type, data } }
}
