import { inspect } from 'node:util'
import { type Answer, answered, deadAddress, drain, failureAt, failureOf, joined } from '@codeact/testing'
import { describe, expect, test, vi } from 'vitest'
import { aiSdk } from '../src/index.ts'
import { fake, finish, makers } from './models.ts'

const KEY = 'key-0123456789-of-mine'

describe.each(makers)('with a model of specification %s', (_version, make) => {
  const failure = (answer: Answer) =>
    failureAt(answer, ({ baseURL }) => aiSdk(make({ baseURL, apiKey: KEY }), { maxRetries: 0 }))

  describe('a failed response', () => {
    test.each([
      [400, 'MODEL_BAD_REQUEST', false, 'request'],
      [401, 'MODEL_AUTH', false, 'apiKey'],
      [403, 'MODEL_AUTH', false, 'apiKey'],
      [404, 'MODEL_NOT_FOUND', false, 'baseURL'],
      [413, 'MODEL_CONTEXT_LENGTH', false, 'new session'],
      [429, 'MODEL_RATE_LIMIT', true, 'maxRetries'],
      [500, 'MODEL_OVERLOADED', true, 'again'],
      [529, 'MODEL_OVERLOADED', true, 'again'],
    ])('%i -> %s, with the server’s words', async (status, code, isRetryable, hint) => {
      const error = await failure(answered(status, { error: { message: 'the words of the server', type: 'x' } }))
      expect(error).toMatchObject({ code, isRetryable, hint: expect.stringContaining(hint) })
      expect(error.message).toContain(`${status} the words of the server`)
    })

    test.each([
      "This model's maximum context length is 8192 tokens",
      'prompt is too long: 200001 tokens > 200000 maximum',
      'exceeds the available context size',
    ])('400: %s', async (message) => {
      expect(await failure(answered(400, { error: { message } }))).toMatchObject({ code: 'MODEL_CONTEXT_LENGTH' })
    })
  })

  test('no connection: the address is told without its query', async () => {
    const { origin } = await deadAddress()
    const error = await failureOf(drain(aiSdk(make({ baseURL: `${origin}/v1?secret=1` }), { maxRetries: 0 })))
    expect(error.message).toContain(origin)
    expect(error.message).not.toContain('secret')
  })

  test('an event that is not JSON, or of no shape that is known', async () => {
    for (const event of ['{"choices": [', '{"choices": 7}']) {
      const error = await failure((response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.end(`data: ${JSON.stringify({ choices: [{ delta: { content: 'a' } }] })}\n\ndata: ${event}\n\n`)
      })
      expect(error).toMatchObject({ code: 'MODEL_STREAM_CUT', isRetryable: true })
    }
  })
})

test('a key from the environment stays out of an error, whoever wrote it there', async () => {
  vi.stubEnv('SOME_VENDOR_API_KEY', KEY)
  const error = await failureOf(drain(aiSdk(fake('v3', new Error(`bad ${KEY}`)).model)))
  expect(error).toMatchObject({ code: 'MODEL_BAD_REQUEST', isRetryable: false })
  expect(inspect(error, { depth: null, showHidden: true })).not.toContain(KEY)
  vi.unstubAllEnvs()
})

test('an error that comes before any text, with a status that passes, is tried again', async () => {
  const overloaded = {
    type: 'error',
    error: { statusCode: 529, message: 'overloaded', responseHeaders: { 'retry-after-ms': '1' } },
  }
  const { model, calls } = fake('v3', [overloaded], [{ type: 'text-delta', id: '1', delta: 'ok' }, finish('v3')])
  expect(joined(await drain(aiSdk(model)), 'text-delta')).toBe('ok')
  expect(calls.length).toBe(2)
})
