import { describe, expect, test } from 'vitest'
import { openai } from '../../src/index.ts'
import { drain, endOf, joined, task } from '../drain.ts'
import { answered, modelServer, slices, streamed } from '../model-server.ts'
import { chunk, reply, usageChunk } from './chunks.ts'

const TEXT = 'x = "größe ✓"\n\n👩‍🔬 data: {"a": 1}\r\n'

describe('a streamed reply', () => {
  for (const [name, slice] of Object.entries(slices)) {
    for (const newline of ['\n', '\r\n', '\r']) {
      test(`cut as ${name}, lines ended by ${JSON.stringify(newline)}: the same text, message, finish and usage`, async () => {
        await using server = await modelServer(streamed(reply(TEXT), { slice, newline }))
        const events = await drain(openai('m', { baseURL: server.baseURL }))
        expect(joined(events, 'text-delta')).toBe(TEXT)
        expect(events.length).toBe(Array.from(TEXT).length + 1)
        expect(events.at(-1)).toEqual({
          type: 'end',
          message: { role: 'assistant', content: [{ type: 'text', text: TEXT }] },
          finish: 'stop',
          usage: { inputTokens: 11, outputTokens: 7 },
        })
      })
    }
  }

  test('reaches the consumer while it is still being written', async () => {
    let finishReply = () => {}
    const seen = new Promise<void>((resolve) => {
      finishReply = resolve
    })
    await using server = await modelServer(async (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(`data: ${JSON.stringify(chunk({ content: 'first' }))}\n\n`)
      await seen
      response.end(`data: ${JSON.stringify(chunk({}, 'stop'))}\n\ndata: [DONE]\n\n`)
    })
    for await (const event of openai('m', { baseURL: server.baseURL }).stream({ messages: [task('Hi')] })) {
      if (event.type === 'text-delta') finishReply() // never called, the server would wait for ever
    }
    await seen
  })

  test('usage tells the cached and the reasoning tokens', async () => {
    const usage = {
      prompt_tokens: 100,
      completion_tokens: 50,
      total_tokens: 150,
      prompt_tokens_details: { cached_tokens: 64, audio_tokens: 0 },
      completion_tokens_details: { reasoning_tokens: 40, accepted_prediction_tokens: 0 },
    }
    await using server = await modelServer(streamed([chunk({ content: 'x' }), chunk({}, 'stop'), usageChunk(usage)]))
    expect(endOf(await drain(openai('m', { baseURL: server.baseURL }))).usage).toEqual({
      inputTokens: 100,
      outputTokens: 50,
      cachedInputTokens: 64,
      reasoningTokens: 40,
    })
  })

  test('a server that counts in every chunk: the last count holds; one that does not count: zero', async () => {
    const running = (tokens: number) => ({ usage: { prompt_tokens: 5, completion_tokens: tokens } })
    await using counting = await modelServer(
      streamed([
        { ...chunk({ content: 'a' }), ...running(1) },
        { ...chunk({}, 'stop'), ...running(2) },
      ]),
    )
    expect(endOf(await drain(openai('m', { baseURL: counting.baseURL }))).usage).toEqual({
      inputTokens: 5,
      outputTokens: 2,
    })
    await using silent = await modelServer(streamed([chunk({ content: 'a' }), chunk({}, 'stop')]))
    expect(endOf(await drain(openai('m', { baseURL: silent.baseURL }))).usage).toEqual({
      inputTokens: 0,
      outputTokens: 0,
    })
  })

  test('reasoning is told, under either name, and stays out of the message', async () => {
    await using server = await modelServer(
      streamed([
        chunk({ reasoning_content: 'I ', reasoning: 'I ' }),
        chunk({ reasoning: 'think' }),
        chunk({ content: 'so', reasoning_content: null }),
        chunk({}, 'stop'),
      ]),
    )
    const events = await drain(openai('m', { baseURL: server.baseURL }))
    expect(joined(events, 'reasoning-delta')).toBe('I think')
    expect(endOf(events).message.content).toEqual([{ type: 'text', text: 'so' }])
  })

  test('chunks that hold nothing, or what is not known, are passed over', async () => {
    await using server = await modelServer(
      streamed([
        { choices: null },
        { id: 'x', choices: [], prompt_filter_results: [] },
        chunk({ content: [{ type: 'thinking', thinking: 'hm' }] }),
        { choices: [{ index: 0, delta: null }] },
        chunk({ content: 'a' }, ''),
        chunk({ content: 'b', audio: {} }),
        chunk({}, 'stop'),
      ]),
    )
    const events = await drain(openai('m', { baseURL: server.baseURL }))
    expect(joined(events, 'text-delta')).toBe('ab')
  })
})

describe('finish', () => {
  const cases: [string, object[], string][] = [
    ['stop', [chunk({}, 'stop')], 'stop'],
    ['stop at a sequence that the server tells (vLLM)', [chunk({}, 'stop', { stop_reason: '</x>' })], 'stop-sequence'],
    ['stop at a token (vLLM)', [chunk({}, 'stop', { stop_reason: 128_009 })], 'stop'],
    ['length', [chunk({}, 'length')], 'length'],
    ['tool_calls', [chunk({}, 'tool_calls')], 'tool-calls'],
    [
      'stop after tool calls',
      [chunk({ tool_calls: [{ index: 0, id: 'c', function: { name: 'f' } }] }), chunk({}, 'stop')],
      'tool-calls',
    ],
    ['content_filter', [chunk({}, 'content_filter')], 'refusal'],
    ['stop after a refusal', [chunk({ refusal: 'No.' }), chunk({}, 'stop')], 'refusal'],
    ['eos_token', [chunk({}, 'eos_token')], 'stop'],
  ]
  for (const [name, chunks, finish] of cases) {
    test(`${name} -> ${finish}`, async () => {
      await using server = await modelServer(streamed([chunk({ content: 'a' }), ...chunks]))
      expect(endOf(await drain(openai('m', { baseURL: server.baseURL }))).finish).toBe(finish)
    })
  }

  test('the words of a refusal are text', async () => {
    await using server = await modelServer(
      streamed([chunk({ refusal: 'I ' }), chunk({ refusal: 'cannot.' }), chunk({}, 'stop')]),
    )
    const events = await drain(openai('m', { baseURL: server.baseURL }))
    expect(joined(events, 'text-delta')).toBe('I cannot.')
    expect(endOf(events).message.content).toEqual([{ type: 'text', text: 'I cannot.' }])
  })
})

describe('the connection', () => {
  test('is kept for further calls after a whole reply', async () => {
    await using server = await modelServer(streamed(reply('ok')))
    const model = openai('m', { baseURL: server.baseURL })
    for (let call = 0; call < 6; call += 1) await drain(model)
    // Two, for the first may not be free yet when the second call comes.
    expect(new Set(server.received.map(({ socket }) => socket)).size).toBeLessThanOrEqual(2)
  })

  test('failures before the first byte are tried again by the SDK', async () => {
    await using server = await modelServer(
      answered(429, { error: { message: 'slow down' } }, { 'retry-after-ms': '1' }),
      answered(503, { error: { message: 'busy' } }, { 'retry-after-ms': '1' }),
      streamed(reply('third')),
    )
    const events = await drain(openai('m', { baseURL: server.baseURL }))
    expect(joined(events, 'text-delta')).toBe('third')
    expect(server.received.length).toBe(3)
  })

  test('a pause of more than a minute is not waited for', async () => {
    const pauses = [{ 'retry-after': '3600' }, { 'retry-after': new Date(Date.now() + 3_600_000).toUTCString() }]
    for (const pause of [...pauses, { 'retry-after-ms': '3600000' }]) {
      await using server = await modelServer(answered(429, { error: { message: 'in an hour' } }, pause))
      await expect(drain(openai('m', { baseURL: server.baseURL }))).rejects.toMatchObject({ code: 'MODEL_RATE_LIMIT' })
      expect(server.received.length).toBe(1)
    }
  })
})
