import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { inspect } from 'node:util'
import { CodeActError } from '@codeact/spec'
import { describe, expect, test, vi } from 'vitest'
import { type AnthropicOptions, anthropic } from '../src/index.ts'
import { drain, endOf, joined } from './drain.ts'
import {
  type Answer,
  answered,
  eventStream,
  fault,
  messageServer,
  reply,
  start,
  streamed,
  textBlock,
} from './message-server.ts'

const KEY = 'key-0123456789-of-mine'

async function failure(answer: Answer, options: AnthropicOptions = {}): Promise<CodeActError> {
  await using server = await messageServer(answer)
  const model = anthropic('claude-nine', { baseURL: server.baseURL, apiKey: KEY, maxRetries: 0, ...options })
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
      const baseURL = `http://${host}:${await freePort()}`
      const error = await drain(anthropic('m', { baseURL, maxRetries: 0 })).catch((reason: unknown) => reason)
      expect(error).toMatchObject({ code: 'MODEL_NETWORK', isRetryable: true })
      expect((error as CodeActError).message).toContain('ECONNREFUSED')
      expect((error as CodeActError).message).toContain(baseURL)
      expect((error as CodeActError).hint).toContain(baseURL)
    },
  )

  test('closed before an answer -> MODEL_NETWORK', async () => {
    expect((await failure((response) => void response.socket?.destroy())).code).toBe('MODEL_NETWORK')
  })
})

describe('a reply that breaks off', () => {
  const whole = eventStream(reply('ñb'))
  const ways: [string, (response: Parameters<Answer>[0]) => void][] = [
    ['the connection is lost', (response) => response.socket?.destroy()],
    ['the server ends it in silence', (response) => response.end()],
  ]
  test.each(ways)('(%s) at any byte: it is cut, or whole', { timeout: 120_000 }, async (_way, breakOff) => {
    let cut = 0
    const answer: Answer = async (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      await new Promise<void>((sent) => response.write(whole.subarray(0, cut), () => sent()))
      await new Promise((turn) => setImmediate(turn))
      breakOff(response)
    }
    await using server = await messageServer(answer)
    const end = whole.indexOf('\n\n', whole.indexOf('"stop_reason":"end_turn"'))
    for (cut = 0; cut < whole.length; cut += 1) {
      const outcome = await drain(anthropic('m', { baseURL: server.baseURL, maxRetries: 0 })).catch((reason) => reason)
      if (cut >= end + 2) expect([cut, joined(outcome, 'text-delta')]).toEqual([cut, 'ñb'])
      else if (cut >= end)
        continue // all is there but the blank line: either is right
      else if (cut === 0) expect(['MODEL_STREAM_CUT', 'MODEL_NETWORK']).toContain(outcome.code)
      else expect([cut, outcome.code, outcome.isRetryable]).toEqual([cut, 'MODEL_STREAM_CUT', true])
    }
  })

  test('is not tried again by itself', async () => {
    await using server = await messageServer(streamed([start(), ...textBlock(0, 'a')]))
    await expect(drain(anthropic('m', { baseURL: server.baseURL }))).rejects.toMatchObject({
      code: 'MODEL_STREAM_CUT',
      isRetryable: true,
    })
    expect(server.received.length).toBe(1)
  })

  const types: [string, string, boolean][] = [
    ['overloaded_error', 'MODEL_OVERLOADED', true],
    ['rate_limit_error', 'MODEL_RATE_LIMIT', true],
    ['api_error', 'MODEL_OVERLOADED', true],
    ['invalid_request_error', 'MODEL_BAD_REQUEST', false],
    ['error_of_the_future', 'MODEL_STREAM_CUT', true],
  ]
  test.each(types)('with the error %s in the stream -> %s, and no other try', async (type, code, isRetryable) => {
    await using server = await messageServer(streamed([start(), ...textBlock(0, 'a'), fault(type, 'the words')]))
    const model = anthropic('m', { baseURL: server.baseURL })
    await expect(drain(model)).rejects.toMatchObject({
      code,
      isRetryable,
      message: expect.stringContaining('the words'),
    })
    expect(server.received.length).toBe(1)
  })

  test('in an event that is not JSON, and nothing goes to the terminal', async () => {
    const printed = vi.spyOn(console, 'error').mockImplementation(() => {})
    const error = await failure((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end('event: message_start\ndata: {"message": [\n\n')
    })
    expect(error.code).toBe('MODEL_STREAM_CUT')
    expect(error.message).toContain('not JSON')
    expect(printed).not.toHaveBeenCalled()
    printed.mockRestore()
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
    await using server = await messageServer((response) => {
      response.writeHead(200, { 'content-type': 'application/octet-stream' })
      response.end(eventStream(reply('ok')))
    })
    expect(endOf(await drain(anthropic('m', { baseURL: server.baseURL }))).finish).toBe('stop')
  })
})

describe('secrets', () => {
  const header = 'header-0123456789-of-mine'
  const echo = `The key ${KEY} with ${header} (sk-ant-abcd****wxyz) is wrong.`
  const answers: [string, Answer][] = [
    ['in a failed response', answered(401, fault('authentication_error', echo), { 'x-echo': KEY })],
    ['as text', answered(400, echo)],
    ['in the stream', streamed([start(), fault('api_error', echo)])],
    [
      'in a broken event',
      (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.end(`event: message_start\ndata: ${KEY}\n\n`)
      },
    ],
  ]
  test.each(answers)('that a server repeats %s stay out of the error', async (_where, answer) => {
    const error = await failure(answer, { headers: { 'x-token': header } })
    const shown = [inspect(error, { depth: null, showHidden: true }), JSON.stringify(error), error.hint].join()
    for (const secret of [KEY.slice(0, 8), header.slice(0, 8), 'abcd', 'wxyz']) expect(shown).not.toContain(secret)
  })
})

/** A port on which nobody listens: it was given out a moment ago, and given back. */
async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
