import { inspect } from 'node:util'
import { CodeActError } from '@codeact/spec'
import { type Answer, answered, deadAddress, drain, endOf, eventStream, modelServer, streamed } from '@codeact/testing'
import { describe, expect, test, vi } from 'vitest'
import { type AnthropicOptions, anthropic } from '../src/index.ts'
import { fault, reply, start, textBlock } from './blocks.ts'

const KEY = 'key-0123456789-of-mine'

async function failure(answer: Answer, options: AnthropicOptions = {}): Promise<CodeActError> {
  await using server = await modelServer(answer)
  const model = anthropic('claude-nine', { baseURL: server.origin, apiKey: KEY, maxRetries: 0, ...options })
  const error = await drain(model).then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!CodeActError.is(error)) throw new Error(`Not a CodeActError: ${inspect(error)}`)
  return error
}

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

  const forms: [string, unknown][] = [
    ['{ error: string }', { error: 'the words' }],
    ['{ message }', { message: 'the words' }],
    ['{ detail: [...] }', { detail: [{ msg: 'the words' }] }],
    ['plain text', 'the words'],
  ]
  test.each(forms)('as %s: the words are kept', async (_form, body) => {
    const error = await failure(answered(400, body))
    expect(error.code).toBe('MODEL_BAD_REQUEST')
    expect(error.message).toContain('the words')
  })

  test('401 without a key asks for one', async () => {
    vi.stubEnv('ANTHROPIC_API_KEY', undefined)
    const error = await failure(answered(401, fault('authentication_error', 'no')), { apiKey: undefined })
    expect(error.message).toContain('asks for a key')
    vi.unstubAllEnvs()
  })
})

describe('no connection', () => {
  test.each(['127.0.0.1', 'localhost'])(
    'refused at %s -> MODEL_NETWORK, and the hint names the URL that was tried',
    async (host) => {
      const baseURL = (await deadAddress()).origin.replace('127.0.0.1', host)
      const error = await drain(anthropic('m', { baseURL, maxRetries: 0 })).catch((reason: unknown) => reason)
      expect(error).toMatchObject({ code: 'MODEL_NETWORK', isRetryable: true })
      expect((error as CodeActError).message).toContain('ECONNREFUSED')
      expect((error as CodeActError).message).toContain(baseURL)
      expect((error as CodeActError).hint).toContain(baseURL)
    },
  )
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

describe('a server that speaks something else', () => {
  test('a page in place of a stream -> MODEL_BAD_RESPONSE, with a hint at the base URL', async () => {
    const error = await failure(answered(200, '<!doctype html>\n<title>Welcome</title>\n\n<p>hi</p>'))
    expect(error.code).toBe('MODEL_BAD_RESPONSE')
    expect(error.message).toContain('text/plain')
    expect(error.hint).toContain('/v1/messages')
  })

  test('a stream under another type is read all the same', async () => {
    await using server = await modelServer((response) => {
      response.writeHead(200, { 'content-type': 'application/octet-stream' })
      response.end(eventStream(reply('ok')))
    })
    expect(endOf(await drain(anthropic('m', { baseURL: server.origin }))).finish).toBe('stop')
  })
})
