import {
  COUNTS,
  type Dialect,
  type Failure,
  type Fault,
  type Heard,
  type HeardItem,
  type Said,
  type Script,
} from '@codeact/testing'
import { completed, type ItemScript, incomplete, reasoningItem, responseEvents } from './events.ts'

const ENCRYPTED = 'gAAA-whole'

/** The protocol of the Responses API. */
export const responses: Dialect = {
  reply,
  isEnd: (event) => /"type":"response\.(completed|incomplete)"/.test(JSON.stringify(event)),
  failure,
  failureEvent: (message) => ({ type: 'error', code: 'server_error', message, param: null }),
  reasoning: (pieces, index) => reasoningItem(index, pieces, ENCRYPTED),
  read: ({ body }) => read(body as unknown as Body),
}

function reply({ says, end = 'whole', isCounted = true, isTerse = false }: Script): object[] {
  const usage = isCounted ? USAGE : null
  const last =
    end === 'length'
      ? incomplete('max_output_tokens', usage)
      : end === 'filtered'
        ? incomplete('content_filter', usage)
        : completed(usage)
  return isTerse ? tersely(says) : responseEvents(says.map(itemOf), last)
}

function itemOf(said: Said): ItemScript {
  return 'reasoning' in said ? { summary: said.reasoning, encrypted: ENCRYPTED } : said
}

/** Without the events that only repeat what others said: text alone. */
function tersely(says: readonly Said[]): object[] {
  const pieces = says.flatMap((said) => ('text' in said ? said.text : []))
  return [
    ...pieces.map((delta) => ({ type: 'response.output_text.delta', output_index: 0, delta })),
    { type: 'response.completed', response: { status: 'completed' } },
  ]
}

const USAGE = {
  input_tokens: COUNTS.input,
  output_tokens: COUNTS.output,
  input_tokens_details: { cached_tokens: COUNTS.cached, cache_write_tokens: COUNTS.written },
  output_tokens_details: { reasoning_tokens: COUNTS.reasoning },
}

const FAILURES: Readonly<Record<Fault, readonly [status: number, more: object]>> = {
  'bad request': [400, { param: 'input' }],
  'stop refused': [400, { param: 'stop', code: 'unknown_parameter' }],
  'wrong key': [401, { code: 'invalid_api_key' }],
  'unknown model': [400, { code: 'model_not_found', param: 'model' }],
  'context too long': [400, { code: 'context_length_exceeded', param: 'input' }],
  'content refused': [400, { code: 'invalid_prompt' }],
  'rate limit': [429, { code: 'rate_limit_exceeded' }],
  'no credit': [429, { code: 'insufficient_quota' }],
  overload: [503, { type: 'server_error' }],
}

function failure(fault: Fault, message: string): Failure {
  const [status, more] = FAILURES[fault]
  return { status, body: { error: { message, type: 'invalid_request_error', param: null, code: null, ...more } } }
}

interface Body {
  readonly instructions?: string
  readonly input: readonly Item[]
  readonly tools?: readonly { name: string; description: string; parameters: object }[]
  readonly stop?: readonly string[]
}

type Part = { readonly text?: string; readonly image_url?: string }

interface Item {
  readonly type?: string
  readonly role?: 'system' | 'user' | 'assistant'
  readonly content?: string | readonly Part[]
  readonly call_id?: string
  readonly name?: string
  readonly arguments?: string
  readonly output?: string | readonly Part[]
}

function read({ instructions, input, tools = [], stop = [] }: Body): Heard {
  return {
    said: [
      ...(instructions === undefined ? [] : [{ role: 'system', text: instructions } as const]),
      ...input.flatMap(itemsOf),
    ],
    tools: tools.map(({ name, description, parameters }) => ({ name, description, parameters })) as Heard['tools'],
    stop,
  }
}

function itemsOf(item: Item): HeardItem[] {
  const { type, role = 'user', call_id = '', name = '' } = item
  if (type === 'reasoning') return [{ reasoning: item }]
  if (type === 'function_call') return [{ call: call_id, name, input: JSON.parse(item.arguments ?? '') }]
  const parts = partsOf(type === 'function_call_output' ? item.output : item.content)
  return parts.map(({ text = '', image_url }) => {
    if (image_url !== undefined) return { image: image_url.replace('data:image/png;base64,', '') }
    return type === 'function_call_output' ? { result: call_id, text } : { role, text }
  })
}

function partsOf(content: string | readonly Part[] = []): readonly Part[] {
  return typeof content === 'string' ? [{ text: content }] : content
}
