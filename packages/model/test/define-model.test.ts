import type { ServerResponse } from 'node:http'
import { inspect } from 'node:util'
import { CodeActError } from '@codeact/spec'
import { answered, deadAddress, modelServer } from '@codeact/testing'
import { describe, expect, test } from 'vitest'
import { hear, mine, said, task } from './mine.ts'

const usage = { inputTokens: 3, outputTokens: 2 }
const END = [{ done: 'stop' }, { usage }]
const SECRET = 'secret-0123456789'

test('a reply: its events, and the end with the whole message', async () => {
  await using server = await modelServer(said({ thought: 'hm' }, { text: 'It is ' }, { text: '42.' }, ...END))
  const { events } = await hear(mine(server.baseURL))
  expect(events).toEqual([
    { type: 'reasoning-delta', text: 'hm' },
    { type: 'text-delta', text: 'It is ' },
    { type: 'text-delta', text: '42.' },
    {
      type: 'end',
      message: { role: 'assistant', content: [{ type: 'text', text: 'It is 42.' }] },
      finish: 'stop',
      usage,
    },
  ])
})

describe('what a failed response means', () => {
  test.each([
    [400, 'no', 'MODEL_BAD_REQUEST', false],
    [400, 'the prompt is too long', 'MODEL_CONTEXT_LENGTH', false],
    [401, 'no', 'MODEL_AUTH', false],
    [402, 'no', 'MODEL_RATE_LIMIT', false],
    [403, 'no', 'MODEL_AUTH', false],
    [404, 'no', 'MODEL_NOT_FOUND', false],
    [408, 'no', 'MODEL_OVERLOADED', true],
    [409, 'no', 'MODEL_OVERLOADED', true],
    [413, 'no', 'MODEL_CONTEXT_LENGTH', false],
    [422, 'no', 'MODEL_BAD_REQUEST', false],
    [429, 'no', 'MODEL_RATE_LIMIT', true],
    [500, 'no', 'MODEL_OVERLOADED', true],
    [529, 'no', 'MODEL_OVERLOADED', true],
  ])('%i %s -> %s', async (status, words, code, isRetryable) => {
    await using server = await modelServer(answered(status, words))
    const { error } = await hear(mine(server.baseURL, { maxRetries: 0 }))
    expect(CodeActError.is(error)).toBe(true)
    expect(error).toMatchObject({ code, isRetryable, hint: expect.stringMatching(/\.$/) })
    expect(error?.message).toContain(`${status} ${words}`)
    expect(error?.message).toContain(server.baseURL)
  })

  test.each([
    [{ error: { message: 'the words' } }],
    [{ error: 'the words' }],
    [{ message: 'the words' }],
    [{ detail: [{ msg: 'the words' }] }],
    ['the words'],
  ])('its words are found in %j', async (body) => {
    await using server = await modelServer(answered(400, body))
    expect((await hear(mine(server.baseURL))).error?.message).toMatch(/400 .*the words/)
  })
})

describe('other failures', () => {
  test('no connection -> MODEL_NETWORK, with the address and the reason', async () => {
    const { error } = await hear(mine((await deadAddress()).baseURL, { maxRetries: 0 }))
    expect(error).toMatchObject({ code: 'MODEL_NETWORK', isRetryable: true, cause: { code: 'ECONNREFUSED' } })
    expect(error?.message).toMatch(/127\.0\.0\.1:\d+\/v1 \(.*ECONNREFUSED/)
  })

  test('a call that cannot be made -> MODEL_BAD_REQUEST, and no other try', async () => {
    const { error } = await hear(mine('http://127.0.0.1:1', { headers: { 'x-key': `bad"\n${SECRET}` } }))
    expect(error).toMatchObject({ code: 'MODEL_BAD_REQUEST', isRetryable: false })
    expect(error?.message).toContain('could not be made')
    expect(error?.message).not.toContain(SECRET)
  })

  test.each([
    ['no address', 'Invalid URL'],
    ['localhost:1234', 'unknown scheme'],
    ['http://me:hunter22@localhost/v1', 'http://***@localhost/v1'],
  ])('the address %s -> MODEL_BASE_URL, and no other try', async (address, why) => {
    const { error } = await hear(mine(address))
    expect(error).toMatchObject({ code: 'MODEL_BASE_URL', isRetryable: false, hint: expect.stringContaining('http') })
    expect(error?.message).toContain(why)
    expect(inspect(error, { depth: null, showHidden: true })).not.toContain('hunter22')
  })

  test.each([
    ['without an end', said({ text: 'a' }), ''],
    ['for a reason that is no end', said({ text: 'a' }, { done: 'error' }), ': error'],
    [
      'with a broken event',
      (response: ServerResponse) => {
        response.setHeader('content-type', 'application/x-ndjson')
        response.end('{"text":\n')
      },
      ': an event is not JSON',
    ],
  ])('a reply that broke off %s -> MODEL_STREAM_CUT, and no other try', async (_how, answer, why) => {
    await using server = await modelServer(answer)
    const { error } = await hear(mine(server.baseURL))
    expect(error).toMatchObject({ code: 'MODEL_STREAM_CUT', isRetryable: true })
    expect(error?.message).toBe(`The reply of the model broke off before its end${why}.`)
    expect(server.received.length).toBe(1)
  })

  test('a connection that breaks behind the end breaks nothing', async () => {
    await using server = await modelServer((response) => {
      said({ text: 'a' }, { done: 'stop' }, 'hang')(response)
      setTimeout(() => response.destroy(), 50)
    })
    expect((await hear(mine(server.baseURL))).end).toMatchObject({ finish: 'stop' })
  })

  test('a page in place of a stream -> MODEL_BAD_RESPONSE', async () => {
    await using server = await modelServer(answered(200, 'Welcome'))
    const { error } = await hear(mine(server.baseURL))
    expect(error).toMatchObject({ code: 'MODEL_BAD_RESPONSE' })
    expect(error?.message).toContain('text/plain')
  })

  test('secrets stay out of all of it', async () => {
    await using server = await modelServer(answered(401, { error: `The key ${SECRET} or sk-abcd**wxyz is wrong.` }))
    const { error } = await hear(mine(`${server.baseURL}/${SECRET}`, { secret: SECRET }))
    expect(error?.message).toContain('The key *** or ***')
    expect(error?.hint).toContain('/***')
    expect(inspect(error, { depth: null, showHidden: true }) + error?.hint).not.toMatch(/secret-0|abcd|wxyz/)
  })
})

describe('another try', () => {
  const later = (status: number, headers = {}) => answered(status, 'later', { 'retry-after-ms': '1', ...headers })

  test('is made until it succeeds, and nothing is told twice', async () => {
    await using server = await modelServer(later(429), later(503), said({ text: 'ok' }, ...END))
    expect((await hear(mine(server.baseURL))).events.map(({ type }) => type)).toEqual(['text-delta', 'end'])
    expect(server.received.length).toBe(3)
  })

  test('is made twice, or as often as is asked for', async () => {
    await using server = await modelServer(later(503))
    await hear(mine(server.baseURL))
    expect(server.received.length).toBe(3)
    await hear(mine(server.baseURL, { maxRetries: 0 }))
    expect(server.received.length).toBe(4)
  })

  test.each([
    ['asks for a pause of more than a minute', later(429, { 'retry-after-ms': '61000' }), 1],
    ['says that it is in vain', later(503, { 'x-should-retry': 'false' }), 1],
    ['says that it is not', later(400, { 'x-should-retry': 'true' }), 3],
  ])('is left to the server, which %s', async (_says, answer, count) => {
    await using server = await modelServer(answer)
    expect((await hear(mine(server.baseURL))).error?.code).toMatch(/^MODEL_/)
    expect(server.received.length).toBe(count)
  })

  test('is not waited for any longer at an abort', async () => {
    await using server = await modelServer(answered(429, 'later', { 'retry-after': '50' }))
    const controller = new AbortController()
    const call = hear(mine(server.baseURL), { signal: controller.signal })
    setTimeout(() => controller.abort(), 100)
    expect((await call).error).toMatchObject({ code: 'MODEL_ABORTED' })
  })

  test('without what was refused is made at once, and remembered', async () => {
    await using server = await modelServer(answered(400, 'no stop, please'), said({ text: 'ok' }, ...END))
    const model = mine(server.baseURL)
    for (let call = 0; call < 2; call += 1) expect((await hear(model, { stop: ['x'] })).end?.finish).toBe('stop')
    expect(server.received.map(({ body }) => 'stop' in body)).toEqual([true, false, false])
  })

  test('is made once by each of two calls that are refused together', async () => {
    const noStop = answered(400, 'no stop, please')
    await using server = await modelServer(noStop, noStop, said({ text: 'ok' }, ...END))
    const model = mine(server.baseURL)
    const both = await Promise.all([hear(model, { stop: ['x'] }), hear(model, { stop: ['x'] })])
    expect(both.map(({ end }) => end?.finish)).toEqual(['stop', 'stop'])
  })
})

describe('an abort', () => {
  test('in mid-stream closes the connection, though the stream does not look at the signal', async () => {
    await using server = await modelServer(said({ text: 'word' }, 'hang'))
    const controller = new AbortController()
    const reason = new Error('mine')
    const stream = mine(server.baseURL).stream({ messages: [task], signal: controller.signal })
    const reading = (async () => {
      for await (const _ of stream) controller.abort(reason)
    })()
    await expect(reading).rejects.toMatchObject({ code: 'MODEL_ABORTED', cause: reason })
    await server.received[0]?.closed
  })

  test('before the call sends nothing', async () => {
    await using server = await modelServer(said({ text: 'ok' }, ...END))
    expect((await hear(mine(server.baseURL), { signal: AbortSignal.abort() })).error?.code).toBe('MODEL_ABORTED')
    expect(server.received.length).toBe(0)
  })

  test('by leaving the loop closes the connection', async () => {
    await using server = await modelServer(said({ text: 'word' }, 'hang'))
    for await (const _ of mine(server.baseURL).stream({ messages: [task] })) break
    await server.received[0]?.closed
  })
})

describe('enough', () => {
  const partial = { finish: 'stop-sequence', usage: { isPartial: true } }

  test('in mid-stream: the end comes at once, with what came, and the connection is closed before it is read', async () => {
    await using server = await modelServer(said({ text: 'word', usage }, 'hang'))
    const enough = new AbortController()
    for await (const event of mine(server.baseURL).stream({ messages: [task], enough: enough.signal })) {
      enough.abort()
      if (event.type !== 'end') continue
      expect(event).toMatchObject({ ...partial, message: { content: [{ type: 'text', text: 'word' }] } })
      expect(event.usage).toEqual({ ...usage, isPartial: true })
      await server.received[0]?.closed // while this loop still holds the stream open
    }
    expect.assertions(2)
  })

  test('while nothing comes: the same', async () => {
    await using server = await modelServer(said({ text: 'word' }, 'hang'))
    const enough = new AbortController()
    setTimeout(() => enough.abort(), 100)
    for await (const event of mine(server.baseURL).stream({ messages: [task], enough: enough.signal })) {
      if (event.type !== 'end') continue
      expect(event).toMatchObject(partial)
      await server.received[0]?.closed
    }
    expect.assertions(1)
  })

  test('before the call: nothing is sent', async () => {
    await using server = await modelServer(said({ text: 'ok' }, ...END))
    const { end } = await hear(mine(server.baseURL), { enough: AbortSignal.abort() })
    expect(end).toMatchObject({ ...partial, message: { content: [] } })
    expect(server.received.length).toBe(0)
  })

  test.each([
    ['the server has not answered', () => {}],
    ['the next try is waited for', answered(429, 'later', { 'retry-after': '50' })],
  ])('while %s', async (_when, answer) => {
    await using server = await modelServer(answer)
    const enough = new AbortController()
    setTimeout(() => enough.abort(), 100)
    const { end } = await hear(mine(server.baseURL), { enough: enough.signal })
    expect(end).toMatchObject({ ...partial, message: { content: [] } })
    await server.received[0]?.closed
    expect(server.received.length).toBe(1)
  })

  test('of a reply that is whole is its normal end, with all the counts', async () => {
    await using server = await modelServer((response) => {
      said({ text: 'ok' }, { done: 'stop', text: '.' }, 'hang')(response)
      setTimeout(() => response.end(`${JSON.stringify({ usage })}\n`), 100)
    })
    const enough = new AbortController()
    for await (const event of mine(server.baseURL).stream({ messages: [task], enough: enough.signal })) {
      if (event.type === 'text-delta' && event.text === '.') enough.abort()
      if (event.type === 'end') expect(event).toMatchObject({ finish: 'stop', usage })
      if (event.type === 'end') expect(event.usage.isPartial).toBeUndefined()
    }
    expect.assertions(2)
  })

  test('is less than an abort', async () => {
    const both = { enough: AbortSignal.abort(), signal: AbortSignal.abort() }
    expect((await hear(mine('http://127.0.0.1:1'), both)).error?.code).toBe('MODEL_ABORTED')
  })
})

test('a call leaves nothing listening on signals that live longer', async () => {
  await using server = await modelServer(said({ text: 'ok' }, ...END))
  let listeners = 0
  const counted = () => {
    const { signal } = new AbortController()
    const { addEventListener, removeEventListener } = signal
    signal.addEventListener = (...call: Parameters<typeof addEventListener>) => {
      listeners += 1
      addEventListener.apply(signal, call)
    }
    signal.removeEventListener = (...call: Parameters<typeof removeEventListener>) => {
      listeners -= 1
      removeEventListener.apply(signal, call)
    }
    return signal
  }
  const [signal, enough] = [counted(), counted()]
  for (let call = 0; call < 3; call += 1) await hear(mine(server.baseURL), { signal, enough })
  expect(listeners).toBe(0)
})
