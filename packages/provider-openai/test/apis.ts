import { chunk, usageChunk } from './chat/chunks.ts'
import { completed, type ItemScript, incomplete, responseEvents } from './responses/events.ts'

/** What a model says in one reply, whichever API carries it. */
export interface Script {
  readonly reasoning?: readonly string[]
  readonly text?: readonly string[]
  readonly refusal?: readonly string[]
  readonly call?: { readonly id: string; readonly name: string; readonly json: readonly string[] }
  readonly end?: 'whole' | 'length' | 'filtered'
}

export const COUNTS = { input: 100, output: 50, cached: 64, reasoning: 40 }

/** Both APIs: how each writes a reply. */
export const apis = [
  { api: 'chat', write: chatChunks },
  { api: 'responses', write: responsesEvents },
] as const

function chatChunks({ reasoning = [], text = [], refusal = [], call, end = 'whole' }: Script): object[] {
  const [first, ...rest] = call?.json ?? []
  const head = call && { index: 0, id: call.id, type: 'function', function: { name: call.name, arguments: first } }
  const finish = { whole: call ? 'tool_calls' : 'stop', length: 'length', filtered: 'content_filter' }[end]
  return [
    chunk({ role: 'assistant', content: '' }),
    ...reasoning.map((piece) => chunk({ reasoning_content: piece })),
    ...text.map((piece) => chunk({ content: piece })),
    ...refusal.map((piece) => chunk({ refusal: piece })),
    ...(head ? [chunk({ tool_calls: [head] })] : []),
    ...rest.map((piece) => chunk({ tool_calls: [{ index: 0, function: { arguments: piece } }] })),
    chunk({}, finish),
    usageChunk({
      prompt_tokens: COUNTS.input,
      completion_tokens: COUNTS.output,
      prompt_tokens_details: { cached_tokens: COUNTS.cached },
      completion_tokens_details: { reasoning_tokens: COUNTS.reasoning },
    }),
  ]
}

function responsesEvents({ reasoning, text, refusal, call, end = 'whole' }: Script): object[] {
  const items: ItemScript[] = [
    ...(reasoning ? [{ summary: reasoning, encrypted: 'gAAA' }] : []),
    ...(text ? [{ text }] : []),
    ...(refusal ? [{ refusal }] : []),
    ...(call ? [{ call: call.id, name: call.name, json: call.json }] : []),
  ]
  const usage = {
    input_tokens: COUNTS.input,
    output_tokens: COUNTS.output,
    input_tokens_details: { cached_tokens: COUNTS.cached },
    output_tokens_details: { reasoning_tokens: COUNTS.reasoning },
  }
  const ends = {
    whole: completed(usage),
    length: incomplete('max_output_tokens', usage),
    filtered: incomplete('content_filter', usage),
  }
  return responseEvents(items, ends[end])
}
