import { chatCompletions, drain, endOf, modelServer, streamed, task } from '@codeact/testing'
import { describe, expect, test } from 'vitest'
import { aiSdk } from '../src/index.ts'
import { fake, finish, makers } from './models.ts'

describe.each(makers)('a model of specification %s, over the wire', (_version, make) => {
  test('the request in full: a transcript, stop sequences, and nothing foreign', async () => {
    await using server = await modelServer(streamed(chatCompletions.reply({ says: [{ text: ['ok'] }] })))
    const image = { type: 'image', mediaType: 'image/png', data: 'aGk=' } as const
    await drain(aiSdk(make(server)), {
      messages: [
        { role: 'system', content: 'You write code.' },
        task('Plot.'),
        { role: 'assistant', content: [{ type: 'tool-call', callId: 'c1', name: 'run', json: '{"code":"1"}' }] },
        { role: 'tool', callId: 'c1', content: [{ type: 'text', text: 'done' }, image] },
        { role: 'assistant', content: [{ type: 'text', text: 'There it is.' }] },
        { role: 'user', kind: 'task', content: [{ type: 'text', text: 'See?' }, image] },
      ],
      stop: ['</execute>'],
    })
    const picture = { type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=' } }
    const { messages, ...rest } = server.received[0]?.body ?? {}
    expect(rest).toEqual({
      model: 'm',
      stop: ['</execute>'],
      stream: true,
      stream_options: { include_usage: true },
    })
    expect(messages).toMatchObject([
      { role: 'system', content: 'You write code.' },
      { role: 'user', content: 'Plot.' },
      { role: 'assistant', tool_calls: [{ id: 'c1', function: { name: 'run', arguments: '{"code":"1"}' } }] },
      { role: 'tool', tool_call_id: 'c1', content: 'done' },
      { role: 'user', content: [picture] },
      { role: 'assistant', content: 'There it is.' },
      { role: 'user', content: [{ type: 'text', text: 'See?' }, picture] },
    ])
  })
})

describe.each(['v2', 'v3', 'v4'])('the parts of specification %s', (version) => {
  test('that nobody knows here are passed over', async () => {
    const odd = [
      { type: 'stream-start', warnings: [] },
      { type: 'response-metadata', id: 'r' },
      { type: 'raw', rawValue: 1 },
      { type: 'ping' },
      { type: 'source', sourceType: 'url', id: 's', url: 'http://x' },
      { type: 'from-the-future', delta: 'boo', id: '1' },
      { type: 'tool-result', toolCallId: 'x' },
      { type: 'tool-input-start', id: 'x', toolName: 'web_search', providerExecuted: true },
      { type: 'tool-input-delta', id: 'x', delta: '{}' },
      { type: 'tool-call', toolCallId: 'x', toolName: 'web_search', input: '{}', providerExecuted: true },
      null,
      'text',
    ]
    const text = [
      { type: 'text-start', id: '1' },
      { type: 'text-delta', id: '1', delta: 'hi' },
      { type: 'text-end', id: '1' },
    ]
    const events = await drain(aiSdk(fake(version, [...odd, ...text, finish(version)]).model))
    expect(events.map(({ type }) => type)).toEqual(['text-delta', 'end'])
  })

  test('tool calls that come at once, and one that is cut', async () => {
    const parts = [
      { type: 'tool-call', toolCallId: 'a', toolName: 'run', input: '{"x":1}' },
      { type: 'tool-input-start', id: 'b', toolName: 'run' },
      { type: 'tool-input-delta', id: 'b', delta: '{"x":' },
      finish(version, 'length'),
    ]
    const events = await drain(aiSdk(fake(version, parts).model))
    expect(events.slice(0, -1)).toEqual([
      { type: 'tool-call-start', callId: 'a', name: 'run' },
      { type: 'tool-call-delta', callId: 'a', json: '{"x":1}' },
      { type: 'tool-call-end', callId: 'a' },
      { type: 'tool-call-start', callId: 'b', name: 'run' },
      { type: 'tool-call-delta', callId: 'b', json: '{"x":' },
      { type: 'tool-call-end', callId: 'b' },
    ])
    expect(endOf(events)).toMatchObject({
      finish: 'length',
      message: { content: [{ callId: 'a' }, { json: '{"x":' }] },
    })
  })

  test('an image goes as the version spells it', async () => {
    const { model, calls } = fake(version, [finish(version)])
    const image = { type: 'image', mediaType: 'image/png', data: 'aGk=' } as const
    await drain(aiSdk(model), { messages: [{ role: 'user', kind: 'task', content: [image] }] })
    const data = version === 'v4' ? { type: 'data', data: 'aGk=' } : 'aGk='
    expect(calls[0]?.prompt).toEqual([{ role: 'user', content: [{ type: 'file', mediaType: 'image/png', data }] }])
  })

  test('a warning that stop sequences are not taken is heeded from the next call on', async () => {
    const warning =
      version === 'v2'
        ? { type: 'unsupported-setting', setting: 'stopSequences' }
        : { type: 'unsupported', feature: 'stopSequences' }
    const { model, calls } = fake(version, [{ type: 'stream-start', warnings: [warning] }, finish(version)])
    const wrapped = aiSdk(model)
    for (let call = 0; call < 2; call += 1) await drain(wrapped, { stop: ['</x>'] })
    expect(calls.map(({ stopSequences }) => stopSequences)).toEqual([['</x>'], undefined])
  })

  test.each([
    ['stop', undefined, 'stop'],
    ['length', 'max_tokens', 'length'],
    ['content-filter', 'refusal', 'refusal'],
    ['tool-calls', undefined, 'tool-calls'],
  ])('finish %s (%s) is %s', async (unified, raw, expected) => {
    const finishReason = version === 'v2' ? unified : { unified, raw }
    const { model } = fake(version, [finish(version, '', { finishReason })])
    expect(endOf(await drain(aiSdk(model))).finish).toBe(expected)
  })

  test.each(['error', 'unknown', 'other', 'interrupted'])('finish %s is the end of no reply', async (reason) => {
    const text = { type: 'text-delta', id: '1', delta: 'a' }
    const { model } = fake(version, [text, finish(version, reason)])
    await expect(drain(aiSdk(model))).rejects.toMatchObject({ code: 'MODEL_STREAM_CUT', isRetryable: true })
  })

  test('options of the caller go along, and replace nothing of the adapter', async () => {
    const { model, calls } = fake(version, [finish(version)])
    await drain(aiSdk(model, { request: { maxOutputTokens: 9, prompt: 'mine', providerOptions: { a: { b: 1 } } } }))
    expect(calls[0]).toMatchObject({ maxOutputTokens: 9, providerOptions: { a: { b: 1 } } })
    expect(calls[0]?.prompt).toEqual([{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }])
    expect(Object.keys(calls[0] ?? {}).sort()).toEqual(['abortSignal', 'maxOutputTokens', 'prompt', 'providerOptions'])
  })
})

describe('what vendors say in words of their own', () => {
  test.each([
    ['v3', { unified: 'stop', raw: 'pause_turn' }, {}, 'pause'],
    ['v3', { unified: 'stop', raw: 'stop_sequence' }, {}, 'stop-sequence'],
    ['v4', { unified: 'other', raw: 'eos' }, {}, 'stop'],
    ['v4', { unified: 'other', raw: 'model_context_window_exceeded' }, {}, 'length'],
    ['v2', 'stop', { providerMetadata: { anthropic: { stopSequence: '</x>' } } }, 'stop-sequence'],
  ])('%s %j -> %s', async (version, finishReason, more, expected) => {
    const { model } = fake(version, [finish(version, '', { finishReason, ...more })])
    expect(endOf(await drain(aiSdk(model))).finish).toBe(expected)
  })

  test('Anthropic in V2 leaves the cache out of the input, Google the reasoning out of the output', async () => {
    const said = { input_tokens: 10, cache_read_input_tokens: 100, cache_creation_input_tokens: 20, output_tokens: 5 }
    const anthropic = finish('v2', 'stop', {
      usage: { inputTokens: 10, outputTokens: 5, totalTokens: 15, cachedInputTokens: 100 },
      providerMetadata: { anthropic: { usage: said } },
    })
    expect(endOf(await drain(aiSdk(fake('v2', [anthropic]).model))).usage).toEqual({
      inputTokens: 130,
      outputTokens: 5,
      cachedInputTokens: 100,
      cacheWriteTokens: 20,
    })
    const google = finish('v2', 'stop', {
      usage: { inputTokens: 10, outputTokens: 5, totalTokens: 45, reasoningTokens: 30 },
    })
    expect(endOf(await drain(aiSdk(fake('v2', [google]).model))).usage).toEqual({
      inputTokens: 10,
      outputTokens: 35,
      reasoningTokens: 30,
    })
  })
})

describe('what is no model', () => {
  test.each([
    ['openai/gpt-5', 'the text "openai/gpt-5"'],
    [undefined, 'undefined'],
    [() => {}, 'not yet called'],
    [{}, 'no specificationVersion'],
    [{ specificationVersion: 'v1', doStream() {} }, 'specification v1'],
    [{ specificationVersion: 'v3', provider: 'p', modelId: 'm' }, 'no doStream()'],
  ])('%j: says what was given, and what to pass', (given, words) => {
    expect(() => aiSdk(given as never)).toThrow(
      expect.objectContaining({
        code: 'MODEL_INVALID',
        message: expect.stringContaining(words),
        hint: expect.stringContaining('aiSdk(anthropic('),
      }),
    )
  })
})
