import type { AssistantMessage, ImagePart, Message, ReasoningPart, TextPart, ToolCallPart } from '@codeact/spec'
import type { OpenAI } from 'openai'
import { callArguments } from '../call-arguments.ts'
import { isOwn, phaseOf } from './reasoning-part.ts'

type Item = OpenAI.Responses.ResponseInputItem
type Part = TextPart | ImagePart

/**
 * The transcript as the API spells it. Each message is written without a look at any other, so that a longer transcript has
 * the shorter one as its exact prefix.
 *
 * @param model reasoning goes back to the model that made it, and to no other
 */
export function encodeInput(messages: readonly Message[], model: string): Item[] {
  return messages.flatMap((message) => encodeMessage(message, model))
}

function encodeMessage(message: Message, model: string): Item[] {
  switch (message.role) {
    case 'system':
      return [{ role: 'system', content: message.content }]
    case 'user':
      return [{ role: 'user', content: encodeParts(message.content) }]
    case 'assistant':
      return encodeReply(message, model)
    case 'tool':
      return [{ type: 'function_call_output', call_id: message.callId, output: encodeParts(message.content) }]
  }
}

/** Reasoning that nothing follows is left out: the API refuses it without what came of it. */
function encodeReply({ content }: AssistantMessage, model: string): Item[] {
  const parts = content.filter((part) => (part.type === 'reasoning' ? isOwn(part, model) : !isEmpty(part)))
  const last = parts.findLastIndex(({ type }) => type !== 'reasoning')
  return parts.slice(0, last + 1).flatMap((part, index) => encodeReplyPart(part, parts[index - 1]))
}

function encodeReplyPart(part: AssistantMessage['content'][number], before: typeof part | undefined): Item[] {
  switch (part.type) {
    case 'reasoning':
      return encodeReasoning(part)
    case 'text':
      return [{ role: 'assistant', content: part.text, ...phaseOf(before) }]
    case 'tool-call':
      return [{ type: 'function_call', call_id: part.callId, name: part.name, arguments: callArguments(part.json) }]
  }
}

function encodeReasoning(part: ReasoningPart): Item[] {
  // Whose it is was checked: what the API sent goes back as it came.
  return phaseOf(part) ? [] : [part.opaque as unknown as OpenAI.Responses.ResponseReasoningItem]
}

/** One text as a plain string; else each part apart. */
function encodeParts(
  parts: readonly Part[],
): string | (OpenAI.Responses.ResponseInputText | OpenAI.Responses.ResponseInputImage)[] {
  const [first] = parts
  if (first === undefined) return ''
  if (parts.length === 1 && first.type === 'text') return first.text
  return parts.map((part) =>
    part.type === 'text'
      ? { type: 'input_text', text: part.text }
      : { type: 'input_image', detail: 'auto', image_url: `data:${part.mediaType};base64,${part.data}` },
  )
}

function isEmpty(part: TextPart | ToolCallPart): boolean {
  return part.type === 'text' && part.text === ''
}
