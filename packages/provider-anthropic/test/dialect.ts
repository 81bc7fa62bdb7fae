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
import { block, callBlock, end, fault, start } from './blocks.ts'

/** The protocol of the Messages API. */
export const messages: Dialect = {
  reply,
  isEnd: (event) => /"stop_reason":"/.test(JSON.stringify(event)),
  failure,
  failureEvent: (words) => fault('api_error', words),
  reasoning: (pieces, index) => ({ type: 'thinking', thinking: pieces.join(''), signature: signature(index) }),
  read: ({ body }) => read(body as unknown as Body),
}

const REASONS = { length: 'max_tokens', filtered: 'refusal', 'stop-sequence': 'stop_sequence', pause: 'pause_turn' }
const PING = { type: 'ping' }

function reply({ says, end: how = 'whole', isCounted = true, isTerse = false }: Script): object[] {
  const isRefused = says.some((said) => 'refusal' in said)
  const whole = isRefused ? 'refusal' : says.some((said) => 'call' in said) ? 'tool_use' : 'end_turn'
  const blocks = says.flatMap(blockOf)
  const reason = how === 'whole' ? whole : REASONS[how]
  if (isTerse) return [{ type: 'message_start' }, ...blocks, { type: 'message_delta', delta: { stop_reason: reason } }]
  const counts = isCounted ? { output_tokens: COUNTS.output, ...DETAILS } : null
  return [start(isCounted ? INPUT : null), PING, ...blocks, ...end(reason, counts)]
}

const INPUT = {
  input_tokens: COUNTS.input - COUNTS.cached - COUNTS.written,
  cache_read_input_tokens: COUNTS.cached,
  cache_creation_input_tokens: COUNTS.written,
  output_tokens: 1,
}
const DETAILS = { output_tokens_details: { thinking_tokens: COUNTS.reasoning } }

function blockOf(said: Said, index: number): object[] {
  if ('call' in said) return callBlock(index, said.call, said.name, ...said.json)
  if ('reasoning' in said) {
    const thoughts = said.reasoning.map((thinking) => ({ type: 'thinking_delta', thinking }))
    const signed = { type: 'signature_delta', signature: signature(index) }
    return block(index, { type: 'thinking', thinking: '', signature: '' }, ...thoughts, signed)
  }
  const pieces = 'text' in said ? said.text : said.refusal
  return block(index, { type: 'text', text: '' }, ...pieces.map((text) => ({ type: 'text_delta', text })))
}

const signature = (index: number) => `EqQBCgIYAhIM1gbcDa9GJwZA2b3h+/${index}==`

const FAILURES: Readonly<Record<Fault, readonly [status: number, type: string, words?: string]>> = {
  'bad request': [400, 'invalid_request_error'],
  'stop refused': [400, 'invalid_request_error', 'stop_sequences: this model takes none. '],
  'wrong key': [401, 'authentication_error'],
  'unknown model': [404, 'not_found_error'],
  'context too long': [400, 'invalid_request_error', 'prompt is too long: 210000 tokens > 200000 maximum. '],
  'content refused': [400, 'invalid_request_error', 'Output blocked by content filtering policy. '],
  'rate limit': [429, 'rate_limit_error'],
  'no credit': [400, 'invalid_request_error', 'Your credit balance is too low to access the Anthropic API. '],
  overload: [529, 'overloaded_error'],
}

function failure(what: Fault, words: string): Failure {
  const [status, type, says = ''] = FAILURES[what]
  return { status, body: fault(type, `${says}${words}`) }
}

interface Body {
  readonly system?: readonly Block[]
  readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly content: readonly Block[] }[]
  readonly tools?: readonly { name: string; description: string; input_schema: object }[]
  readonly stop_sequences?: readonly string[]
}

interface Block {
  readonly type: 'text' | 'image' | 'thinking' | 'tool_use' | 'tool_result'
  readonly text?: string
  readonly source?: { readonly data: string }
  readonly id?: string
  readonly name?: string
  readonly input?: unknown
  readonly tool_use_id?: string
  readonly content?: readonly Block[]
}

function read({ system = [], messages, tools = [], stop_sequences: stop = [] }: Body): Heard {
  return {
    said: [
      ...system.map(({ text = '' }): HeardItem => ({ role: 'system', text })),
      ...messages.flatMap(({ role, content }) => content.flatMap((one) => itemsOf(role, one))),
    ],
    tools: tools.map(({ name, description, input_schema: parameters }) => ({
      name,
      description,
      parameters,
    })) as Heard['tools'],
    stop,
  }
}

function itemsOf(role: 'user' | 'assistant', block: Block): HeardItem[] {
  const { id = '', name = '', text = '', tool_use_id: result = '' } = block
  switch (block.type) {
    case 'text':
      return [{ role, text }]
    case 'image':
      return [{ image: block.source?.data ?? '' }]
    case 'tool_use':
      return [{ call: id, name, input: block.input }]
    case 'tool_result':
      return (block.content ?? []).map((one) =>
        one.type === 'text' ? { result, text: one.text ?? '' } : { image: one.source?.data ?? '' },
      )
    default:
      return [{ reasoning: block }]
  }
}
