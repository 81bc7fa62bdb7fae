import type { AssistantMessage, ImagePart, Message, TextPart, ToolCallPart } from '@codeact/spec'
import type { SpecVersion } from './ai-sdk-model.ts'
import { fromPart, type Metadata } from './opaque.ts'

export type PromptMessage =
  | { readonly role: 'system'; readonly content: string }
  | { readonly role: 'user' | 'assistant' | 'tool'; readonly content: readonly PromptPart[] }

interface PromptPart {
  readonly type: 'text' | 'file' | 'reasoning' | 'tool-call' | 'tool-result'
  readonly providerOptions?: Metadata
  readonly [field: string]: unknown
}

type Part = TextPart | ImagePart

/**
 * The transcript as the specification spells it. One message becomes one message, so that a longer transcript begins with the
 * shorter one.
 *
 * The one exception: providers differ in what they make of an image in a tool result (some send it as text). So the images of
 * a reply's tool results follow the last of them, as a user message.
 */
export function encodePrompt(messages: readonly Message[], model: string, version: SpecVersion): PromptMessage[] {
  const toolNames = toolNamesOf(messages)
  const encodeParts = (parts: readonly Part[]) => parts.map((part) => encodePart(part, version))
  return messages.flatMap((message, index): PromptMessage[] => {
    if (message.role === 'system') return [{ role: 'system', content: message.content }]
    if (message.role === 'user') return [{ role: 'user', content: encodeParts(message.content) }]
    if (message.role === 'assistant') return [{ role: 'assistant', content: encodeReply(message, model) }]
    const { callId, content, isError = false } = message
    const value = content.map((part) => (part.type === 'text' ? part.text : '')).join('')
    const output = { type: isError ? 'error-text' : 'text', value }
    const result = { type: 'tool-result', toolCallId: callId, toolName: toolNames.get(callId) ?? '', output } as const
    const images = messages[index + 1]?.role === 'tool' ? [] : imagesOfResults(messages, index)
    return [
      { role: 'tool', content: [result] },
      ...(images.length === 0 ? [] : [{ role: 'user' as const, content: encodeParts(images) }]),
    ]
  })
}

function encodePart(part: Part, version: SpecVersion): PromptPart {
  if (part.type === 'text') return { type: 'text', text: part.text }
  const { mediaType, data } = part
  return { type: 'file', mediaType, data: version === 'v4' ? { type: 'data', data } : data }
}

function encodeReply({ content }: AssistantMessage, model: string): PromptPart[] {
  const parts: PromptPart[] = []
  let next: Metadata | undefined
  for (const part of content) {
    const opaque = part.type === 'reasoning' ? fromPart(model, part) : undefined
    if (opaque?.kind === 'reasoning') {
      parts.push({ type: 'reasoning', text: opaque.text, ...withOptions(opaque.metadata) })
    } else if (opaque?.kind === 'metadata') {
      next = opaque.metadata
    } else if (part.type !== 'reasoning') {
      parts.push({
        ...(part.type === 'text' ? { type: part.type, text: part.text } : encodeCall(part)),
        ...withOptions(next),
      })
      next = undefined
    }
  }
  return parts
}

function withOptions(providerOptions: Metadata | undefined): { readonly providerOptions?: Metadata } {
  return providerOptions === undefined ? {} : { providerOptions }
}

function encodeCall({ callId, name, json }: ToolCallPart): PromptPart {
  return { type: 'tool-call', toolCallId: callId, toolName: name, input: parsed(json) }
}

/** Vendors take nothing but an object. What the model wrote and nobody can read stays in it, to be seen. */
function parsed(json: string): unknown {
  if (json.trim() === '') return {}
  try {
    return JSON.parse(json)
  } catch {
    return { malformed: json }
  }
}

function toolNamesOf(messages: readonly Message[]): ReadonlyMap<string, string> {
  const calls = messages.flatMap(({ role, content }) => (role === 'assistant' ? content : []))
  return new Map(calls.flatMap((part) => (part.type === 'tool-call' ? [[part.callId, part.name] as const] : [])))
}

/** The images in the run of tool results that ends at `last`. */
function imagesOfResults(messages: readonly Message[], last: number): ImagePart[] {
  const first = messages.findLastIndex(({ role }, index) => index <= last && role !== 'tool') + 1
  const results = messages.slice(first, last + 1)
  return results
    .flatMap((message) => (message.role === 'tool' ? message.content : []))
    .filter((part) => part.type === 'image')
}
