import { type Answer, answered, drain, failureAt, modelServer, streamed } from '@codeact/testing'
import { describe, expect, test } from 'vitest'
import { anthropic } from '../src/index.ts'
import { fault, start, textBlock } from './blocks.ts'

const failure = (answer: Answer) =>
  failureAt(answer, ({ origin }) => anthropic('claude-nine', { baseURL: origin, apiKey: 'a-key', maxRetries: 0 }))

describe('a failed response', () => {
  const cases: [number, string, string, boolean, string][] = [
    [400, 'invalid_request_error', 'MODEL_BAD_REQUEST', false, 'max_tokens'],
    [401, 'authentication_error', 'MODEL_AUTH', false, 'export ANTHROPIC_API_KEY='],
    [402, 'billing_error', 'MODEL_RATE_LIMIT', false, 'credit'],
    [403, 'permission_error', 'MODEL_AUTH', false, 'export ANTHROPIC_API_KEY='],
    [404, 'not_found_error', 'MODEL_NOT_FOUND', false, 'curl http://127.0.0.1:'],
    [413, 'request_too_large', 'MODEL_CONTEXT_LENGTH', false, 'new session'],
    [429, 'rate_limit_error', 'MODEL_RATE_LIMIT', true, 'maxRetries'],
    [500, 'api_error', 'MODEL_OVERLOADED', true, 'again'],
    [529, 'overloaded_error', 'MODEL_OVERLOADED', true, 'again'],
  ]
  test.each(cases)('%i %s -> %s, with the server’s words', async (status, type, code, isRetryable, hint) => {
    const error = await failure(answered(status, fault(type, 'the words of the server')))
    expect(error).toMatchObject({ code, isRetryable })
    expect(error.message).toContain(`${status} the words of the server`)
    expect(error.message).toContain('http://127.0.0.1:')
    expect(error.hint).toContain(hint)
  })

  const told: [string, string][] = [
    ['prompt is too long: 210000 tokens > 200000 maximum', 'MODEL_CONTEXT_LENGTH'],
    ['input length and `max_tokens` exceed context limit: 190000 + 32000 > 200000', 'MODEL_CONTEXT_LENGTH'],
    ['Output blocked by content filtering policy', 'MODEL_CONTENT_REFUSED'],
    ['Your credit balance is too low to access the Anthropic API.', 'MODEL_RATE_LIMIT'],
    ['max_tokens: 32000 > 8192, which is the maximum allowed', 'MODEL_BAD_REQUEST'],
  ]
  test.each(told)('400 %j -> %s', async (words, code) => {
    const error = await failure(answered(400, fault('invalid_request_error', words)))
    expect(error).toMatchObject({ code, isRetryable: false })
  })
})

describe('a reply that breaks off', () => {
  const types: [string, string, boolean][] = [
    ['overloaded_error', 'MODEL_OVERLOADED', true],
    ['rate_limit_error', 'MODEL_RATE_LIMIT', true],
    ['api_error', 'MODEL_OVERLOADED', true],
    ['invalid_request_error', 'MODEL_BAD_REQUEST', false],
    ['error_of_the_future', 'MODEL_STREAM_CUT', true],
  ]
  test.each(types)('with the error %s in the stream -> %s, and no other try', async (type, code, isRetryable) => {
    await using server = await modelServer(streamed([start(), ...textBlock(0, 'a'), fault(type, 'the words')]))
    const model = anthropic('m', { baseURL: server.origin })
    await expect(drain(model)).rejects.toMatchObject({
      code,
      isRetryable,
      message: expect.stringContaining('the words'),
    })
    expect(server.received.length).toBe(1)
  })
})

test('a page in place of a stream: the hint is at the base URL', async () => {
  expect((await failure(answered(200, '<!doctype html>'))).hint).toContain('/v1/messages')
})
