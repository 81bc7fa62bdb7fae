import { type Answer, answered, failureAt, streamed } from '@codeact/testing'
import { describe, expect, test } from 'vitest'
import { openai } from '../src/index.ts'
import { chunk } from './chat/chunks.ts'

const failure = (answer: Answer) =>
  failureAt(answer, ({ baseURL }) => openai('gpt-nine', { baseURL, apiKey: 'a-key', maxRetries: 0 }))

describe('a failed response', () => {
  const cases: [number, string, boolean, string][] = [
    [400, 'MODEL_BAD_REQUEST', false, 'request'],
    [401, 'MODEL_AUTH', false, 'export OPENAI_API_KEY='],
    [403, 'MODEL_AUTH', false, 'export OPENAI_API_KEY='],
    [404, 'MODEL_NOT_FOUND', false, 'curl http://127.0.0.1:'],
    [413, 'MODEL_BAD_REQUEST', false, 'transcript'],
    [429, 'MODEL_RATE_LIMIT', true, 'maxRetries'],
    [500, 'MODEL_OVERLOADED', true, 'again'],
    [503, 'MODEL_OVERLOADED', true, 'again'],
    [529, 'MODEL_OVERLOADED', true, 'again'],
  ]
  for (const [status, code, isRetryable, hint] of cases) {
    test(`${status} -> ${code}, with the server's words`, async () => {
      const error = await failure(answered(status, { error: { message: 'the words of the server', type: 'x' } }))
      expect(error).toMatchObject({ code, isRetryable })
      expect(error.message).toContain(`${status} the words of the server`)
      expect(error.message).toContain('http://127.0.0.1:')
      expect(error.hint).toContain(hint)
    })
  }

  const tooLong: [string, number, object][] = [
    ['OpenAI', 400, { message: 'Your input is too long.', code: 'context_length_exceeded', param: 'input' }],
    [
      'vLLM',
      400,
      { message: "This model's maximum context length is 4096 tokens. However, you requested 5000.", code: 400 },
    ],
    [
      'llama.cpp',
      400,
      { message: 'the request exceeds the available context size', type: 'exceed_context_size_error' },
    ],
  ]
  for (const [server, status, error] of tooLong) {
    test(`a transcript that is too long, as ${server} says it -> MODEL_CONTEXT_LENGTH`, async () => {
      const told = await failure(answered(status, { error }))
      expect(told).toMatchObject({ code: 'MODEL_CONTEXT_LENGTH', isRetryable: false })
      expect(told.hint).toContain('new session')
    })
  }

  test.each(['content_filter', 'content_policy_violation', 'invalid_prompt'])(
    '%s -> MODEL_CONTENT_REFUSED',
    async (code) => {
      const told = await failure(answered(400, { error: { message: 'flagged', code } }))
      expect(told).toMatchObject({ code: 'MODEL_CONTENT_REFUSED', isRetryable: false })
      expect(told.hint).toContain('Word the task')
    },
  )

  test('an unknown model that is told as a 400 -> MODEL_NOT_FOUND', async () => {
    expect((await failure(answered(400, { error: { message: 'no', code: 'model_not_found' } }))).code).toBe(
      'MODEL_NOT_FOUND',
    )
  })

  test('429 for want of money asks for some', async () => {
    const error = await failure(answered(429, { error: { message: 'no', code: 'insufficient_quota' } }))
    expect(error.hint).toContain('credit')
  })
})

describe('a reply that breaks off', () => {
  test('with a status in the stream: what that status means', async () => {
    const error = await failure(streamed([chunk({ content: 'a' }), { error: { message: 'slow down', code: 429 } }]))
    expect(error).toMatchObject({ code: 'MODEL_RATE_LIMIT', isRetryable: true })
  })

  test('for a reason that is no end', async () => {
    const error = await failure(streamed([chunk({ content: 'a' }), chunk({}, 'error')]))
    expect(error.code).toBe('MODEL_STREAM_CUT')
    expect(error.message).toContain('"error"')
  })
})

test('a page in place of a stream: the hint is at the base URL', async () => {
  expect((await failure(answered(200, '<!doctype html>'))).hint).toContain('/v1')
})
