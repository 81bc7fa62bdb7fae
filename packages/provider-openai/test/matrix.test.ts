import type { ModelEvent } from '@codeact/spec'
import { describe, expect, test } from 'vitest'
import { openai } from '../src/index.ts'
import { apis, COUNTS, type Script } from './apis.ts'
import { drain, endOf, joined, task } from './drain.ts'
import { type Answer, answered, eventStream, modelServer, slices, streamed } from './model-server.ts'

const CODE = ['Let me see.\n\n', '<execute>\n', 'x = "größe ✓ 👩‍🔬"\n', 'print(x)\n', '</execute>']
const call = { id: 'call_a', name: 'python', json: ['{"code": ', '"1 + 1"}'] }
const usage = {
  inputTokens: COUNTS.input,
  outputTokens: COUNTS.output,
  cachedInputTokens: COUNTS.cached,
  reasoningTokens: COUNTS.reasoning,
}

const say = (pieces: readonly string[]) => pieces.map((text) => ({ type: 'text-delta', text }))

const scenarios: { name: string; script: Script; events: object[]; content: object[]; finish: string }[] = [
  text('plain text', { text: ['It ', 'is ', '42.'] }),
  text('code', { text: CODE }),
  text('two blocks', { text: [...CODE, '\n\n', ...CODE] }),
  text('a reply that the limit cut', { text: CODE.slice(0, 3), end: 'length' }, 'length'),
  text('a reply that was filtered', { text: ['I '], end: 'filtered' }, 'refusal'),
  { ...text('a refusal', { text: ['I ', 'cannot.'] }, 'refusal'), script: { refusal: ['I ', 'cannot.'] } },
  {
    ...text('reasoning before code', { reasoning: ['Say it ', 'in code.'], text: CODE }),
    events: [{ type: 'reasoning-delta', text: 'Say it ' }, { type: 'reasoning-delta', text: 'in code.' }, ...say(CODE)],
  },
  {
    name: 'a tool call',
    script: { text: ['So: '], call },
    events: [
      { type: 'text-delta', text: 'So: ' },
      { type: 'tool-call-start', callId: call.id, name: call.name },
      ...call.json.map((json) => ({ type: 'tool-call-delta', callId: call.id, json })),
      { type: 'tool-call-end', callId: call.id },
    ],
    content: [
      { type: 'text', text: 'So: ' },
      { type: 'tool-call', callId: call.id, name: call.name, json: call.json.join('') },
    ],
    finish: 'tool-calls',
  },
]

function text(name: string, script: Script, finish = 'stop'): (typeof scenarios)[number] {
  const pieces = script.text ?? []
  return { name, script, events: say(pieces), content: [{ type: 'text', text: pieces.join('') }], finish }
}

/** The events, the message without its reasoning: whether that goes back is the one thing in which the APIs differ. */
function withoutReasoning(events: readonly ModelEvent[]): ModelEvent[] {
  return events.map((event) => {
    if (event.type !== 'end') return event
    const content = event.message.content.filter(({ type }) => type !== 'reasoning')
    return { ...event, message: { ...event.message, content } }
  })
}

describe.each(apis)('$api', ({ api, write }) => {
  describe.each(scenarios)('$name', ({ script, events, content, finish }) => {
    test.each(['whole', 'sevens'] as const)('comes as the same events, sent as %s', async (slice) => {
      await using server = await modelServer(streamed(write(script), { slice: slices[slice] }))
      const told = await drain(openai('m', { api, baseURL: server.baseURL }), { stop: ['</execute>'] })
      expect(withoutReasoning(told)).toEqual([
        ...events,
        { type: 'end', message: { role: 'assistant', content }, finish, usage },
      ])
    })
  })

  test('a model that refuses stop sequences answers all the same', async () => {
    const refusal = answered(400, { error: { message: "Unsupported parameter: 'stop'", param: 'stop' } })
    const answer: Answer = (response, received) =>
      ('stop' in received.body ? refusal : streamed(write({ text: CODE })))(response, received)
    await using server = await modelServer(answer)
    const model = openai('m', { api, baseURL: server.baseURL })
    for (let round = 0; round < 2; round += 1) {
      expect(joined(await drain(model, { stop: ['</execute>'] }), 'text-delta')).toBe(CODE.join(''))
    }
    expect(server.received.filter(({ body }) => 'stop' in body).length).toBe(api === 'chat' ? 1 : 0)
  })

  test('429, and 503, then success: the text comes once', async () => {
    const busy = (status: number) => answered(status, { error: { message: 'later' } }, { 'retry-after-ms': '1' })
    await using server = await modelServer(busy(429), busy(503), streamed(write({ text: CODE })))
    const events = await drain(openai('m', { api, baseURL: server.baseURL }))
    expect(joined(events, 'text-delta')).toBe(CODE.join(''))
    expect(server.received.length).toBe(3)
    expect(new Set(server.received.map(({ body }) => JSON.stringify(body))).size).toBe(1)
  })

  test('cut at every byte: what was told is a beginning, and only what is whole ends', {
    timeout: 120_000,
  }, async () => {
    // Without the events that only repeat what others said: every byte is a call.
    const bytes = eventStream(
      write({ text: ['ß', '✓'] }).filter((event) => !/"response\.(.*done|i|con)/.test(JSON.stringify(event))),
    )
    const last = bytes.indexOf(api === 'chat' ? '"finish_reason":"stop"' : '"type":"response.completed"')
    const whole = bytes.indexOf('\n\n', last) + 2
    await using server = await modelServer(async (response, { headers }) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const piece = bytes.subarray(0, Number(headers['x-cut']))
      await new Promise<void>((sent) =>
        piece.length === 0 ? (response.flushHeaders() ?? sent()) : response.write(piece, () => sent()),
      )
      await new Promise((turn) => setImmediate(turn))
      response.destroy()
    })
    const cutAt = async (cut: number) => {
      const { told, code } = await hear(openai('m', { api, baseURL: server.baseURL, headers: { 'x-cut': `${cut}` } }))
      expect('ß✓'.startsWith(told), `byte ${cut}: ${told}`).toBe(true)
      if (cut >= whole) expect([cut, told, code]).toEqual([cut, 'ß✓', undefined])
      else if (cut < whole - 1) expect([cut, code]).toEqual([cut, 'MODEL_STREAM_CUT'])
      // One byte before, only a line end is missing: either is right.
    }
    for (let from = 1; from <= bytes.length; from += 16) {
      const cuts = Array.from({ length: 16 }, (_, index) => from + index).filter((cut) => cut <= bytes.length)
      await Promise.all(cuts.map(cutAt))
    }
    expect(server.received.length).toBe(bytes.length)
  })

  test('an abort in mid-stream closes the socket at once', async () => {
    const bytes = eventStream(write({ text: CODE }))
    const some = bytes.subarray(0, bytes.indexOf('\n\n', bytes.indexOf('Let me see.')) + 2)
    await using server = await modelServer((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(some) // and then nothing more, without end
    })
    const controller = new AbortController()
    const model = openai('m', { api, baseURL: server.baseURL })
    const reading = (async () => {
      for await (const _ of model.stream({ messages: [task('Hi')], signal: controller.signal })) controller.abort()
    })()
    await expect(reading).rejects.toMatchObject({ code: 'MODEL_ABORTED' })
    await server.received[0]?.closed // else the test runs out of time
  })

  test.each([
    [401, {}, 'MODEL_AUTH'],
    [404, {}, 'MODEL_NOT_FOUND'],
    [400, { code: 'context_length_exceeded' }, 'MODEL_CONTEXT_LENGTH'],
    [400, { code: 'content_filter' }, 'MODEL_CONTENT_REFUSED'],
    [429, {}, 'MODEL_RATE_LIMIT'],
    [503, {}, 'MODEL_OVERLOADED'],
  ])('%i with %j -> %s', async (status, fault, code) => {
    await using server = await modelServer(answered(status, { error: { message: 'no', ...fault } }))
    const model = openai('m', { api, baseURL: server.baseURL, maxRetries: 0 })
    await expect(drain(model)).rejects.toMatchObject({ code, hint: expect.any(String) })
  })

  test('an event that is not JSON, and a page in place of a stream, are errors', async () => {
    const page = answered(200, '<!doctype html>\n\n<p>hi</p>')
    await using server = await modelServer((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end('data: {"type": \n\n')
    }, page)
    const model = openai('m', { api, baseURL: server.baseURL })
    await expect(drain(model)).rejects.toMatchObject({ code: 'MODEL_STREAM_CUT' })
    await expect(drain(model)).rejects.toMatchObject({ code: 'MODEL_BAD_RESPONSE' })
  })

  test('keeps what it reasoned where the API takes it back', async () => {
    await using server = await modelServer(streamed(write({ reasoning: ['hm'], text: ['so'] })))
    const { content } = endOf(await drain(openai('m', { api, baseURL: server.baseURL }))).message
    expect(content.map(({ type }) => type)).toEqual(api === 'chat' ? ['text'] : ['reasoning', 'text'])
  })
})

/** All that a call told, and the code of its failure. */
async function hear(model: ReturnType<typeof openai>): Promise<{ told: string; code: string | undefined }> {
  let told = ''
  try {
    for await (const event of model.stream({ messages: [task('Hi')] })) {
      if (event.type === 'text-delta') told += event.text
    }
    return { told, code: undefined }
  } catch (error) {
    return { told, code: (error as { code: string }).code }
  }
}
