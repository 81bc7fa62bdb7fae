import type { AssistantMessage, ImagePart, Message, TextPart, ToolMessage } from '@codeact/spec'
import type { OpenAI } from 'openai'
import { callArguments } from '../call-arguments.ts'

type ChatMessage = OpenAI.Chat.Completions.ChatCompletionMessageParam
type Part = TextPart | ImagePart

/**
 * The transcript as the API spells it. Each message is written without a look at what follows, so that a longer transcript
 * has the shorter one as its exact prefix: neighbours are not merged.
 *
 * The one exception: a tool result may hold no image, and nothing may stand between the results of one reply. Their images
 * follow the last of them, as a user message.
 */
export function encodeMessages(messages: readonly Message[]): ChatMessage[] {
  return messages.flatMap((message, index) => {
    if (message.role !== 'tool') return [encodeMessage(message)]
    const isLast = messages[index + 1]?.role !== 'tool'
    return [encodeResult(message), ...(isLast ? imagesOfResults(messages, index) : [])]
  })
}

function encodeMessage(message: Exclude<Message, ToolMessage>): ChatMessage {
  switch (message.role) {
    case 'system':
      return { role: 'system', content: message.content }
    case 'user':
      return { role: 'user', content: encodeParts(message.content) }
    case 'assistant':
      return encodeReply(message)
  }
}

/** Reasoning stays out: this API takes none back. */
function encodeReply({ content }: AssistantMessage): ChatMessage {
  const calls = content.filter((part) => part.type === 'tool-call')
  const text = textOf(content.filter((part) => part.type === 'text'))
  if (calls.length === 0) return { role: 'assistant', content: text }
  return {
    role: 'assistant',
    content: text === '' ? null : text,
    tool_calls: calls.map(({ callId, name, json }) => ({
      id: callId,
      type: 'function',
      function: { name, arguments: callArguments(json) },
    })),
  }
}

function encodeResult({ callId, content }: ToolMessage): ChatMessage {
  const texts = content.filter((part) => part.type === 'text')
  return { role: 'tool', tool_call_id: callId, content: encodeText(texts) }
}

/** The images in the run of tool results that ends at `last`. */
function imagesOfResults(messages: readonly Message[], last: number): ChatMessage[] {
  const first = messages.findLastIndex(({ role }, index) => index <= last && role !== 'tool') + 1
  const results = messages.slice(first, last + 1)
  const images = results.flatMap((message) => (message.role === 'tool' ? message.content : [])).filter(isImage)
  return images.length === 0 ? [] : [{ role: 'user', content: encodeParts(images) }]
}

function encodeParts(parts: readonly Part[]): string | OpenAI.Chat.Completions.ChatCompletionContentPart[] {
  if (!parts.some(isImage)) return encodeText(parts as readonly TextPart[])
  return parts.map((part) =>
    part.type === 'text'
      ? { type: 'text', text: part.text }
      : { type: 'image_url', image_url: { url: `data:${part.mediaType};base64,${part.data}` } },
  )
}

/** One text as a plain string, which every server takes; several stay apart. */
function encodeText(texts: readonly TextPart[]): string | OpenAI.Chat.Completions.ChatCompletionContentPartText[] {
  return texts.length > 1 ? texts.map(({ text }) => ({ type: 'text', text })) : textOf(texts)
}

function textOf(texts: readonly TextPart[]): string {
  return texts.map(({ text }) => text).join('')
}

function isImage(part: Part): part is ImagePart {
  return part.type === 'image'
}
