import { chatRequest } from './chat-request.ts'
import { COUNTS, type Dialect, type Failure, type Fault, type Said, type Script } from './dialect.ts'
import type { WireEvent } from './wire.ts'

/** The protocol that most servers speak: OpenAI's Chat Completions. */
export const chatCompletions: Dialect = {
  reply,
  isEnd: (event) => typeof event === 'object' && /"finish_reason":"/.test(JSON.stringify(event)),
  failure,
  failureEvent: (message) => ({ error: { message, type: 'server_error' } }),
  reasoning: (pieces) => pieces.join(''),
  read: ({ body }) => chatRequest(body),
}

const HEAD = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1_760_000_000, model: 'm' }

function reply({ says, end = 'whole', isCounted = true, isTerse = false }: Script): WireEvent[] {
  const calls = says.filter((said) => 'call' in said)
  const chunk = (delta: object, finish: string | null = null, more: object = {}) =>
    isTerse
      ? { choices: [{ index: 0, delta, finish_reason: finish ?? undefined, ...more }] }
      : { ...HEAD, choices: [{ index: 0, delta, logprobs: null, finish_reason: finish, ...more }], usage: null }
  const deltas = says.flatMap((said) => deltasOf(said, calls.indexOf(said as never)))
  const finish = { whole: calls.length > 0 ? 'tool_calls' : 'stop', length: 'length', filtered: 'content_filter' }
  const told = end === 'stop-sequence' ? { stop_reason: '</execute>' } : {}
  return [
    ...(isTerse ? [] : [chunk({ role: 'assistant', content: '', refusal: null })]),
    ...deltas.map((delta) => chunk(delta)),
    chunk({}, end in finish ? finish[end as keyof typeof finish] : 'stop', told),
    ...(isCounted && !isTerse ? [{ ...HEAD, choices: [], usage: USAGE }] : []),
    '[DONE]',
  ]
}

const USAGE = {
  prompt_tokens: COUNTS.input,
  completion_tokens: COUNTS.output,
  total_tokens: COUNTS.input + COUNTS.output,
  prompt_tokens_details: { cached_tokens: COUNTS.cached },
  completion_tokens_details: { reasoning_tokens: COUNTS.reasoning },
}

function deltasOf(said: Said, index: number): object[] {
  if ('reasoning' in said) return said.reasoning.map((piece) => ({ reasoning_content: piece }))
  if ('text' in said) return said.text.map((piece) => ({ content: piece }))
  if ('refusal' in said) return said.refusal.map((piece) => ({ refusal: piece }))
  const { call: id, name, json } = said
  return [
    { tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] },
    ...json.map((piece) => ({ tool_calls: [{ index, function: { arguments: piece } }] })),
  ]
}

const FAILURES: Readonly<Record<Fault, readonly [status: number, more: object]>> = {
  'bad request': [400, { param: 'messages' }],
  'stop refused': [400, { param: 'stop', code: 'unsupported_parameter' }],
  'wrong key': [401, { code: 'invalid_api_key' }],
  'unknown model': [404, { code: 'model_not_found' }],
  'context too long': [400, { code: 'context_length_exceeded' }],
  'content refused': [400, { code: 'content_filter' }],
  'rate limit': [429, { code: 'rate_limit_exceeded' }],
  'no credit': [429, { code: 'insufficient_quota' }],
  overload: [503, { type: 'server_error' }],
}

/** What these servers say, beside a code that not all of them have. */
const SAYS: Readonly<Partial<Record<Fault, string>>> = {
  'stop refused': "Unsupported parameter: 'stop'. ",
  'context too long': "This model's maximum context length is 4096 tokens. ",
}

function failure(fault: Fault, words: string): Failure {
  const [status, more] = FAILURES[fault]
  const message = `${SAYS[fault] ?? ''}${words}`
  return { status, body: { error: { message, type: 'invalid_request_error', param: null, code: null, ...more } } }
}
