import { inspect } from 'node:util'
import { CodeActError } from '@codeact/spec'
import { type Answer, answered, deadAddress, drain, endOf, eventStream, modelServer, streamed } from '@codeact/testing'
import { describe, expect, test, vi } from 'vitest'
import { openai } from '../src/index.ts'
import type { OpenAIOptions } from '../src/settings.ts'
import { chunk, reply } from './chat/chunks.ts'

const KEY = 'key-0123456789-of-mine'

async function failure(answer: Answer, options: OpenAIOptions = {}): Promise<CodeActError> {
  await using server = await modelServer(answer)
  const model = openai('gpt-nine', { baseURL: server.baseURL, apiKey: KEY, maxRetries: 0, ...options })
  const error = await drain(model).then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!CodeActError.is(error)) throw new Error(`Not a CodeActError: ${inspect(error)}`)
  return error
}

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

  const forms: [string, unknown][] = [
    ['{ error: string }', { error: 'the words' }],
    ['{ message }', { object: 'error', message: 'the words' }],
    ['{ detail }', { detail: 'the words' }],
    ['{ detail: [...] }', { detail: [{ msg: 'the words' }] }],
    ['plain text', 'the words'],
  ]
  for (const [name, body] of forms) {
    test(`as ${name}: the words are kept`, async () => {
      const error = await failure(answered(400, body))
      expect(error.code).toBe('MODEL_BAD_REQUEST')
      expect(error.message).toContain('the words')
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

  test('401 without a key asks for one', async () => {
    vi.stubEnv('OPENAI_API_KEY', undefined)
    const error = await failure(answered(401, { error: { message: 'no' } }), { apiKey: undefined })
    expect(error.message).toContain('asks for a key')
    vi.unstubAllEnvs()
  })
})

describe('no connection', () => {
  test.each(['127.0.0.1', 'localhost'])(
    'refused at %s -> MODEL_NETWORK, and the hint names the URL that was tried',
    async (host) => {
      const baseURL = (await deadAddress()).baseURL.replace('127.0.0.1', host)
      const error = await drain(openai('m', { baseURL, maxRetries: 0 })).catch((reason: unknown) => reason)
      expect(error).toMatchObject({ code: 'MODEL_NETWORK', isRetryable: true })
      expect((error as CodeActError).message).toContain('ECONNREFUSED')
      expect((error as CodeActError).message).toContain(baseURL)
      expect((error as CodeActError).hint).toContain(baseURL)
    },
  )
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

describe('a server that speaks something else', () => {
  test('a page in place of a stream -> MODEL_BAD_RESPONSE, with a hint at the base URL', async () => {
    const error = await failure(answered(200, '<!doctype html>\n<title>Welcome</title>\n\n<p>hi</p>'))
    expect(error.code).toBe('MODEL_BAD_RESPONSE')
    expect(error.message).toContain('text/plain')
    expect(error.hint).toContain('/v1')
  })

  test('a stream under another type is read all the same', async () => {
    await using server = await modelServer((response) => {
      response.writeHead(200, { 'content-type': 'application/octet-stream' })
      response.end(eventStream(reply('ok')))
    })
    expect(endOf(await drain(openai('m', { baseURL: server.baseURL }))).finish).toBe('stop')
  })
})
