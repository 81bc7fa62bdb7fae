import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { inspect } from 'node:util'
import { CodeActError } from '@codeact/spec'
import { describe, expect, test, vi } from 'vitest'
import { openai } from '../src/index.ts'
import type { OpenAIOptions } from '../src/settings.ts'
import { chunk, reply } from './chat/chunks.ts'
import { drain, endOf, joined } from './drain.ts'
import { type Answer, answered, eventStream, modelServer, streamed } from './model-server.ts'

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

  test('429 for want of money does not pass with time', async () => {
    const error = await failure(
      answered(429, { error: { message: 'You exceeded your quota', code: 'insufficient_quota' } }),
    )
    expect(error).toMatchObject({ code: 'MODEL_RATE_LIMIT', isRetryable: false })
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
      const baseURL = `http://${host}:${await freePort()}/v1`
      const error = await drain(openai('m', { baseURL, maxRetries: 0 })).catch((reason: unknown) => reason)
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
  const whole = eventStream(reply('abc'))
  const ways: [string, (response: Parameters<Answer>[0]) => void][] = [
    ['the connection is lost', (response) => response.socket?.destroy()],
    ['the server ends it in silence', (response) => response.end()],
  ]
  for (const [way, breakOff] of ways) {
    test(`(${way}) at any byte: what came is told; then it is cut, or whole`, async () => {
      const end = whole.indexOf('"finish_reason":"stop"')
      const lastOfReply = whole.indexOf('\n\n', end)
      for (let cut = 0; cut < whole.length; cut += 37) {
        const answer: Answer = async (response) => {
          response.writeHead(200, { 'content-type': 'text/event-stream' })
          await new Promise<void>((sent) => response.write(whole.subarray(0, cut), () => sent()))
          await new Promise((turn) => setImmediate(turn))
          breakOff(response)
        }
        await using server = await modelServer(answer)
        const outcome = await drain(openai('m', { baseURL: server.baseURL, maxRetries: 0 })).catch((reason) => reason)
        if (cut >= lastOfReply + 2) expect([cut, joined(outcome, 'text-delta')]).toEqual([cut, 'abc'])
        else if (cut >= lastOfReply)
          continue // all is there but the blank line: either is right
        else if (cut === 0) expect(['MODEL_STREAM_CUT', 'MODEL_NETWORK']).toContain(outcome.code)
        else expect([cut, outcome.code]).toEqual([cut, 'MODEL_STREAM_CUT'])
      }
    })
  }

  test('is retryable, and is not tried again by itself', async () => {
    await using server = await modelServer(streamed([chunk({ content: 'a' })]))
    await expect(drain(openai('m', { baseURL: server.baseURL }))).rejects.toMatchObject({
      code: 'MODEL_STREAM_CUT',
      isRetryable: true,
    })
    expect(server.received.length).toBe(1)
  })

  test('with an error in the stream: the server’s words', async () => {
    const error = await failure(
      streamed([chunk({ content: 'a' }), { error: { message: 'out of memory', type: 'server_error' } }]),
    )
    expect(error.code).toBe('MODEL_STREAM_CUT')
    expect(error.message).toContain('out of memory')
  })

  test('with a status in the stream: what that status means', async () => {
    const error = await failure(streamed([chunk({ content: 'a' }), { error: { message: 'slow down', code: 429 } }]))
    expect(error).toMatchObject({ code: 'MODEL_RATE_LIMIT', isRetryable: true })
  })

  test('in an event that is not JSON, and nothing goes to the terminal', async () => {
    const printed = vi.spyOn(console, 'error').mockImplementation(() => {})
    const error = await failure((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end('data: {"choices": [\n\n')
    })
    expect(error.code).toBe('MODEL_STREAM_CUT')
    expect(error.message).toContain('not JSON')
    expect(printed).not.toHaveBeenCalled()
    printed.mockRestore()
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

describe('secrets', () => {
  const header = 'header-0123456789-of-mine'
  const echo = `The key ${KEY} with ${header} (sk-abcd****wxyz) is wrong.`
  const answers: [string, Answer][] = [
    ['in a failed response', answered(401, { error: { message: echo, param: KEY } }, { 'x-echo': KEY })],
    ['as text', answered(400, echo)],
    ['in the stream', streamed([chunk({ content: 'a' }), { error: { message: echo } }])],
    [
      'in a broken event',
      (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.end(`data: ${KEY}\n\n`)
      },
    ],
  ]
  for (const [name, answer] of answers) {
    test(`that a server repeats ${name} stay out of the error`, async () => {
      const error = await failure(answer, { headers: { 'x-token': header } })
      const shown = [
        inspect(error, { depth: null, showHidden: true }),
        JSON.stringify(error),
        String(error),
        error.hint,
      ].join()
      for (const secret of [KEY.slice(0, 8), header.slice(0, 8), 'abcd', 'wxyz']) expect(shown).not.toContain(secret)
    })
  }
})

/** A port on which nobody listens: it was given out a moment ago, and given back. */
async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
