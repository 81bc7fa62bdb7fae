import type { ModelEvent } from '@codeact/spec'
import { drain, endOf, joined, modelServer, streamed } from '@codeact/testing'
import { describe, expect, test } from 'vitest'
import { openai } from '../../src/index.ts'
import { completed, failed, type ItemScript, incomplete, reasoningItem, responseEvents } from './events.ts'

async function play(events: readonly object[]): Promise<ModelEvent[]> {
  await using server = await modelServer(streamed(events))
  return await drain(openai('gpt-5', { api: 'responses', baseURL: server.baseURL, maxRetries: 0 }))
}

const say = (...items: ItemScript[]) => play(responseEvents(items))

describe('a streamed reply', () => {
  test('reasoning is told as its summary, and kept as it is, in its place', async () => {
    const events = await say(
      { summary: ['I ', 'think.'], encrypted: 'gAAA-one' },
      { call: 'call_a', name: 'python', json: ['{"code":', '"1"}'] },
      { summary: [], encrypted: 'gAAA-two' },
      { text: ['so'] },
    )
    expect(joined(events, 'reasoning-delta')).toBe('I think.')
    const own = { type: 'reasoning', provider: 'openai', model: 'gpt-5' }
    expect(endOf(events).message.content).toEqual([
      { ...own, opaque: reasoningItem(0, ['I ', 'think.'], 'gAAA-one') },
      { type: 'tool-call', callId: 'call_a', name: 'python', json: '{"code":"1"}' },
      { ...own, opaque: reasoningItem(2, [], 'gAAA-two') },
      { type: 'text', text: 'so' },
    ])
  })

  test('parts of a summary are paragraphs', async () => {
    const [created, ...rest] = responseEvents([{ summary: ['one'], encrypted: 'g' }, { text: ['so'] }])
    const at = { item_id: 'rs_0', output_index: 0, summary_index: 1 }
    const second = [
      { type: 'response.reasoning_summary_part.added', ...at },
      { type: 'response.reasoning_summary_text.delta', ...at, delta: 'two' },
    ]
    const events = await play([created as object, ...rest.slice(0, 5), ...second, ...rest.slice(5)])
    expect(joined(events, 'reasoning-delta')).toBe('one\n\ntwo')
  })

  test('reasoning that is only a name is not kept; an open model’s own text is', async () => {
    expect(endOf(await say({ summary: ['hm'] }, { text: ['so'] })).message.content).toEqual([
      { type: 'text', text: 'so' },
    ])
    const item = { id: 'rs_1', type: 'reasoning', summary: [], content: [{ type: 'reasoning_text', text: 'hm' }] }
    const events = await play([
      { type: 'response.output_item.added', output_index: 0, item: { ...item, content: [] } },
      { type: 'response.reasoning_text.delta', output_index: 0, content_index: 0, delta: 'hm' },
      { type: 'response.output_item.done', output_index: 0, item },
      completed(),
    ])
    expect(joined(events, 'reasoning-delta')).toBe('hm')
    expect(endOf(events).message.content).toMatchObject([{ opaque: item }])
  })

  test('tool calls begin, go on and end as they come', async () => {
    const events = await say(
      { call: 'call_a', name: 'python', json: ['{"code"', ':"1"}'] },
      { call: 'call_b', name: 'bash', json: ['{'] },
    )
    expect(events.slice(0, -1)).toEqual([
      { type: 'tool-call-start', callId: 'call_a', name: 'python' },
      { type: 'tool-call-delta', callId: 'call_a', json: '{"code"' },
      { type: 'tool-call-delta', callId: 'call_a', json: ':"1"}' },
      { type: 'tool-call-end', callId: 'call_a' },
      { type: 'tool-call-start', callId: 'call_b', name: 'bash' },
      { type: 'tool-call-delta', callId: 'call_b', json: '{' },
      { type: 'tool-call-end', callId: 'call_b' },
    ])
    expect(endOf(events)).toMatchObject({ finish: 'tool-calls', message: { content: [{ json: '{"code":"1"}' }, {}] } })
  })

  test('a call that is cut by the limit has its end, and its finish says so', async () => {
    const whole = responseEvents([{ call: 'call_a', name: 'python', json: ['{"co'] }], incomplete('max_output_tokens'))
    const events = await play(whole.filter((event) => !JSON.stringify(event).includes('.done')))
    expect(events.map(({ type }) => type)).toEqual(['tool-call-start', 'tool-call-delta', 'tool-call-end', 'end'])
    expect(endOf(events)).toMatchObject({ finish: 'length', message: { content: [{ json: '{"co' }] } })
  })

  test('messages of one reply stay apart, with their phases', async () => {
    const events = await say({ text: ['I look.'], phase: 'commentary' }, { text: ['```', 'x'], phase: 'final_answer' })
    expect(joined(events, 'text-delta')).toBe('I look.\n\n```x')
    const mark = (phase: string) => ({ opaque: { type: 'message', phase } })
    expect(endOf(events).message.content).toMatchObject([
      mark('commentary'),
      { type: 'text', text: 'I look.' },
      mark('final_answer'),
      { type: 'text', text: '\n\n```x' },
    ])
  })

  test('from a server that streams items without deltas, or deltas without items', async () => {
    const events = responseEvents([{ text: ['so'] }, { call: 'a', name: 'python', json: ['{}'] }])
    const plain = await play(events.filter((event) => !('delta' in event)))
    expect(plain).toEqual(await play(events))
    const only = (kind: RegExp) => events.filter((event) => kind.test((event as { type: string }).type))
    expect(joined(await play(only(/output_text\.delta|completed/)), 'text-delta')).toBe('so')
  })

  test('events and items that are not known, and empty ones, are passed over', async () => {
    const events = await play([
      { type: 'response.queued' },
      { type: 'keepalive' },
      { type: 'response.output_item.added', output_index: 0, item: { type: 'web_search_call', id: 'ws' } },
      { type: 'response.web_search_call.completed', output_index: 0 },
      { type: 'response.output_item.done', output_index: 0, item: null },
      { type: 'response.output_text.delta', output_index: 1, delta: '' },
      { type: 'response.output_text.delta', output_index: 1, delta: 'ok' },
      { type: 'response.completed', response: null },
    ])
    expect(events).toEqual([
      { type: 'text-delta', text: 'ok' },
      {
        type: 'end',
        message: { role: 'assistant', content: [{ type: 'text', text: 'ok' }] },
        finish: 'stop',
        usage: { inputTokens: 0, outputTokens: 0 },
      },
    ])
  })
})

describe('the end', () => {
  const counts = {
    input_tokens: 100,
    input_tokens_details: { cached_tokens: 64, cache_write_tokens: 8 },
    output_tokens: 50,
    output_tokens_details: { reasoning_tokens: 40 },
  }
  const usage = {
    inputTokens: 100,
    outputTokens: 50,
    cachedInputTokens: 64,
    cacheWriteTokens: 8,
    reasoningTokens: 40,
  }
  const cases: [string, ItemScript, object, string][] = [
    ['completed', { text: ['a'] }, completed(counts), 'stop'],
    ['completed with a refusal', { refusal: ['I ', 'cannot.'] }, completed(counts), 'refusal'],
    ['completed with a call', { call: 'a', name: 'f', json: ['{}'] }, completed(counts), 'tool-calls'],
    ['incomplete for max_output_tokens', { text: ['a'] }, incomplete('max_output_tokens', counts), 'length'],
    ['incomplete for content_filter', { text: ['a'] }, incomplete('content_filter', counts), 'refusal'],
  ]
  for (const [name, item, end, finish] of cases) {
    test(`${name} -> ${finish}, with all counts`, async () => {
      expect(endOf(await play(responseEvents([item], end)))).toMatchObject({ finish, usage })
    })
  }

  test('the words of a refusal are text', async () => {
    expect(joined(await say({ refusal: ['I ', 'cannot.'] }), 'text-delta')).toBe('I cannot.')
  })

  test('incomplete for a reason that is no end -> MODEL_STREAM_CUT', async () => {
    await expect(play(responseEvents([{ text: ['a'] }], incomplete('moon')))).rejects.toMatchObject({
      code: 'MODEL_STREAM_CUT',
      message: expect.stringContaining('"moon"'),
    })
  })
})

describe('a failure in the stream', () => {
  const cases: [string, string, boolean][] = [
    ['rate_limit_exceeded', 'MODEL_RATE_LIMIT', true],
    ['insufficient_quota', 'MODEL_RATE_LIMIT', false],
    ['server_error', 'MODEL_OVERLOADED', true],
    ['context_length_exceeded', 'MODEL_CONTEXT_LENGTH', false],
    ['invalid_prompt', 'MODEL_CONTENT_REFUSED', false],
    ['image_content_policy_violation', 'MODEL_CONTENT_REFUSED', false],
    ['invalid_image', 'MODEL_BAD_REQUEST', false],
    ['moon', 'MODEL_STREAM_CUT', true],
  ]
  for (const [given, code, isRetryable] of cases) {
    test(`${given} -> ${code}, in each form, with the server's words`, async () => {
      const words = 'the words of the server'
      const forms = [
        failed(given, words),
        { type: 'error', code: given, message: words, param: null },
        { type: 'error', error: { type: 'x', code: given, message: words, param: null } }, // as it really comes
      ]
      for (const form of forms) {
        const error = await play(responseEvents([{ text: ['a'] }], form)).catch((reason: unknown) => reason)
        expect(error).toMatchObject({ code, isRetryable, message: expect.stringContaining(words) })
        expect((error as { hint: string }).hint).not.toBe('')
      }
    })
  }
})
