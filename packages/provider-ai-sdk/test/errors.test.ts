import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { inspect } from 'node:util'
import { createAnthropic } from '@ai-sdk/anthropic'
import { CodeActError } from '@codeact/spec'
import { describe, expect, test, vi } from 'vitest'
import { aiSdk } from '../src/index.ts'
import { type Answer, answered, chatServer, chunk, eventStream, reply, streamed } from './chat-server.ts'
import { drain, joined } from './drain.ts'
import { fake, finish, makers } from './models.ts'

const KEY = 'key-0123456789-of-mine'
const HEADER = 'header-0123456789-of-mine'

async function thrown(call: Promise<unknown>): Promise<CodeActError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!CodeActError.is(error)) throw new Error(`Not a CodeActError: ${inspect(error)}`)
  return error
}

describe.each(makers)('with a model of specification %s', (_version, make) => {
  const failure = async (answer: Answer): Promise<CodeActError> => {
    await using server = await chatServer(answer)
    const settings = { baseURL: server.baseURL, apiKey: KEY, headers: { 'x-token': HEADER } }
    return await thrown(drain(aiSdk(make(settings), { maxRetries: 0 })))
  }

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
      ['{ error: string }', { error: 'the words' }],
      ['{ message }', { object: 'error', message: 'the words' }],
      ['{ detail: [...] }', { detail: [{ msg: 'the words' }] }],
      ['plain text', 'the words'],
    ])('as %s: the words are kept', async (_name, body) => {
      expect((await failure(answered(400, body))).message).toContain('the words')
    })

    test.each([
      "This model's maximum context length is 8192 tokens",
      'prompt is too long: 200001 tokens > 200000 maximum',
      'exceeds the available context size',
    ])('400: %s', async (message) => {
      expect(await failure(answered(400, { error: { message } }))).toMatchObject({ code: 'MODEL_CONTEXT_LENGTH' })
    })

    test('429 for want of money does not pass with time', async () => {
      const body = { error: { message: 'You exceeded your quota', code: 'insufficient_quota' } }
      expect(await failure(answered(429, body))).toMatchObject({ code: 'MODEL_RATE_LIMIT', isRetryable: false })
    })
  })

  test('no connection -> MODEL_NETWORK, and where', async () => {
    const origin = `http://127.0.0.1:${await freePort()}`
    const error = await thrown(drain(aiSdk(make({ baseURL: `${origin}/v1?secret=1` }), { maxRetries: 0 })))
    expect(error).toMatchObject({ code: 'MODEL_NETWORK', isRetryable: true, hint: expect.stringContaining(origin) })
    expect(error.message).toContain('ECONNREFUSED')
    expect(error.message).not.toContain('secret')
  })

  const whole = eventStream(reply('abc'))
  const ways: [string, (response: Parameters<Answer>[0]) => void][] = [
    ['the connection is lost', (response) => response.socket?.destroy()],
    ['the server ends it in silence', (response) => response.end()],
  ]
  test.each(ways)('%s, at any byte: what came is told; then it is cut, or whole', async (_way, breakOff) => {
    const lastOfReply = whole.indexOf('\n\n', whole.indexOf('"finish_reason":"stop"'))
    for (let cut = 1; cut < whole.length; cut += 41) {
      const answer: Answer = async (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        await new Promise<void>((sent) => response.write(whole.subarray(0, cut), () => sent()))
        await new Promise((turn) => setImmediate(turn))
        breakOff(response)
      }
      await using server = await chatServer(answer)
      const outcome = await drain(aiSdk(make(server), { maxRetries: 0 })).catch((reason) => reason)
      if (cut >= lastOfReply && Array.isArray(outcome))
        expect([cut, joined(outcome, 'text-delta')]).toEqual([cut, 'abc'])
      else expect([cut, outcome.code]).toEqual([cut, 'MODEL_STREAM_CUT'])
    }
  })

  test('a reply that broke off after text is not tried again by itself', async () => {
    await using server = await chatServer(streamed([chunk({ content: 'a' })]))
    await expect(drain(aiSdk(make(server)))).rejects.toMatchObject({ code: 'MODEL_STREAM_CUT', isRetryable: true })
    expect(server.received.length).toBe(1)
  })

  test('an error in the stream: the server’s words', async () => {
    const error = await failure(streamed([chunk({ content: 'a' }), { error: { message: 'out of memory', type: 'x' } }]))
    expect(error.code).toBe('MODEL_STREAM_CUT')
    expect(error.message).toContain('out of memory')
  })

  test('an event that is not JSON, or of no shape that is known', async () => {
    for (const event of ['{"choices": [', '{"choices": 7}']) {
      const error = await failure((response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.end(`data: ${JSON.stringify(chunk({ content: 'a' }))}\n\ndata: ${event}\n\n`)
      })
      expect(error).toMatchObject({ code: 'MODEL_STREAM_CUT', isRetryable: true })
    }
  })

  test('a page in place of a stream -> MODEL_BAD_RESPONSE', async () => {
    const error = await failure(answered(200, '<!doctype html>\n<title>Welcome</title>\n\n<p>hi</p>'))
    expect(error).toMatchObject({ code: 'MODEL_BAD_RESPONSE', hint: expect.stringContaining('/v1') })
    expect(error.message).toContain('text/plain')
  })

  test('429, then success: tried again by itself, and nothing is said twice', async () => {
    await using server = await chatServer(
      answered(429, { error: { message: 'later' } }, { 'retry-after-ms': '20' }),
      answered(503, { error: { message: 'later' } }, { 'retry-after-ms': '20' }),
      streamed(reply('ok')),
    )
    expect(joined(await drain(aiSdk(make(server))), 'text-delta')).toBe('ok')
    expect(server.received.length).toBe(3)
  })

  test('a pause of more than a minute is not waited for', async () => {
    await using server = await chatServer(answered(429, { error: { message: 'later' } }, { 'retry-after': '3600' }))
    await expect(drain(aiSdk(make(server)))).rejects.toMatchObject({ code: 'MODEL_RATE_LIMIT', isRetryable: true })
    expect(server.received.length).toBe(1)
  })

  const echo = `The key ${KEY} with ${HEADER} (sk-abcd****wxyz) is wrong.`
  test.each<[string, Answer]>([
    ['in a failed response', answered(401, { error: { message: echo, param: KEY } }, { 'x-echo': KEY })],
    ['as text', answered(400, echo)],
    ['in the stream', streamed([chunk({ content: 'a' }), { error: { message: echo, type: 'x' } }])],
  ])('secrets that a server repeats %s stay out of the error', async (_name, answer) => {
    const error = await failure(answer)
    const shown = [inspect(error, { depth: null, showHidden: true }), JSON.stringify(error), error.hint].join()
    for (const secret of [KEY.slice(0, 8), HEADER.slice(0, 8), 'abcd', 'wxyz']) expect(shown).not.toContain(secret)
  })
})

test('no key at all -> MODEL_KEY_MISSING, and the variable’s name', async () => {
  vi.stubEnv('ANTHROPIC_API_KEY', undefined)
  const error = await thrown(drain(aiSdk(createAnthropic()('claude-sonnet-4-5'))))
  expect(error).toMatchObject({ code: 'MODEL_KEY_MISSING', isRetryable: false })
  expect(error.message).toContain('ANTHROPIC_API_KEY')
  vi.unstubAllEnvs()
})

test('a key from the environment stays out of an error, whoever wrote it there', async () => {
  vi.stubEnv('SOME_VENDOR_API_KEY', KEY)
  const error = await thrown(drain(aiSdk(fake('v3', new Error(`bad ${KEY}`)).model)))
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

/** A port on which nobody listens: it was given out a moment ago, and given back. */
async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
