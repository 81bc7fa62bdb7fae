import type { JsonSchema } from '@codeact/spec'
import type { Heard, HeardItem } from './dialect.ts'

interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool'
  readonly content?: string | null | readonly ChatPart[]
  readonly reasoning_content?: string
  readonly tool_calls?: readonly { readonly id: string; readonly function: { name: string; arguments: string } }[]
  readonly tool_call_id?: string
}

interface ChatPart {
  readonly text?: string
  readonly image_url?: { readonly url: string }
}

interface ChatTool {
  readonly function: { readonly name: string; readonly description: string; readonly parameters: JsonSchema }
}

/** What a request to Chat Completions says. */
export function chatRequest(body: Readonly<Record<string, unknown>>): Heard {
  const {
    messages = [],
    tools = [],
    stop = [],
  } = body as {
    messages?: readonly ChatMessage[]
    tools?: readonly ChatTool[]
    stop?: readonly string[]
  }
  return {
    said: messages.flatMap(itemsOf),
    tools: tools.map(({ function: { name, description, parameters } }) => ({ name, description, parameters })),
    stop,
  }
}

function itemsOf(message: ChatMessage): HeardItem[] {
  const { role, content, reasoning_content, tool_calls = [], tool_call_id = '' } = message
  const parts = typeof content === 'string' ? [{ text: content }] : (content ?? [])
  if (role === 'tool') return [{ result: tool_call_id, text: parts.map(({ text }) => text).join('') }]
  return [
    ...(reasoning_content === undefined ? [] : [{ reasoning: reasoning_content }]),
    ...parts.filter((part) => part.text !== '').map((part) => partOf(role, part)),
    ...tool_calls.map(({ id, function: { name, arguments: json } }) => ({ call: id, name, input: JSON.parse(json) })),
  ]
}

function partOf(role: 'system' | 'user' | 'assistant', { text, image_url }: ChatPart): HeardItem {
  if (image_url === undefined) return { role, text: text ?? '' }
  return { image: image_url.url.replace(/^data:image\/png;base64,/, '') }
}
