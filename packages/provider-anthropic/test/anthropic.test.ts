import { drain, endOf, joined, modelServer, streamed } from '@codeact/testing'
import { describe, expect, test } from 'vitest'
import { anthropic } from '../src/index.ts'
import { block, callBlock, end, start, textBlock, thinkingBlock } from './blocks.ts'

async function drained(...events: object[]) {
  await using server = await modelServer(streamed(events))
  return await drain(anthropic('m', { baseURL: server.origin }))
}

describe('a streamed reply', () => {
  test('with two blocks of code, of text apart: one text, in the order in which it came', async () => {
    const blocks = ['<execute>\n1\n</execute>\n', '', '<execute>\n2\n</execute>']
    const events = await drained(start(), ...blocks.flatMap((text, index) => textBlock(index, text)), ...end())
    expect(joined(events, 'text-delta')).toBe(blocks.join(''))
    expect(endOf(events).message.content).toEqual([
      { type: 'text', text: blocks[0] },
      { type: 'text', text: blocks[2] },
    ])
  })

  test('events, deltas and blocks that are not known are passed over', async () => {
    const events = await drained(
      { type: 'hello', index: 0 },
      start(),
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'a' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'citations_delta', citation: {} } },
      { type: 'content_block_delta', index: 0, delta: null },
      { type: 'content_block_delta', index: 7, delta: { type: 'text_delta', text: 'of no block' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'b' } },
      ...end(),
    )
    expect(joined(events, 'text-delta')).toBe('ab')
    expect(endOf(events).message.content).toEqual([{ type: 'text', text: 'ab' }])
  })
})

describe('thinking before code', () => {
  const closed = { type: 'redacted_thinking', data: 'EmwKAhgBEgy3va3pzix/LafPsn4a' }

  test('is told, and kept whole, with its signature and whatever else the API put there', async () => {
    const events = await drained(
      start(),
      ...thinkingBlock(0, 'Größe? ✓\n', 'EqQBCgIYAhIM1gbcDa9GJwZA2b3h=='),
      ...block(1, closed),
      ...block(2, { type: 'thinking', thinking: '', signature: 'kept', origin: { of: ['the', 'future'] } }),
      ...textBlock(3, '<execute>\n1\n</execute>'),
      ...end(),
    )
    expect(joined(events, 'reasoning-delta')).toBe('Größe? ✓\n')
    expect(joined(events, 'text-delta')).toBe('<execute>\n1\n</execute>')
    const own = (opaque: object) => ({ type: 'reasoning', provider: 'anthropic', model: 'm', opaque })
    expect(endOf(events).message.content).toEqual([
      own({ type: 'thinking', thinking: 'Größe? ✓\n', signature: 'EqQBCgIYAhIM1gbcDa9GJwZA2b3h==' }),
      own(closed),
      own({ type: 'thinking', thinking: '', signature: 'kept', origin: { of: ['the', 'future'] } }),
      { type: 'text', text: '<execute>\n1\n</execute>' },
    ])
  })

  test('that was cut off before its signature is told, and not kept: it could not go back', async () => {
    const thinking = block(0, { type: 'thinking', thinking: '' }, { type: 'thinking_delta', thinking: 'I th' })
    const events = await drained(start(), ...thinking, ...end('max_tokens'))
    expect(joined(events, 'reasoning-delta')).toBe('I th')
    expect(endOf(events)).toMatchObject({ finish: 'length', message: { content: [] } })
  })
})

describe('tool calls', () => {
  test('stream their arguments, also several and with text before them', async () => {
    const events = await drained(
      start(),
      ...textBlock(0, 'a'),
      ...callBlock(1, 'toolu_1', 'execute', '', '{"co', 'de": "1 + 1"}'),
      ...callBlock(2, 'toolu_2', 'list'),
      ...end('tool_use'),
    )
    expect(events.slice(1, -1)).toEqual([
      { type: 'tool-call-start', callId: 'toolu_1', name: 'execute' },
      { type: 'tool-call-delta', callId: 'toolu_1', json: '{"co' },
      { type: 'tool-call-delta', callId: 'toolu_1', json: 'de": "1 + 1"}' },
      { type: 'tool-call-end', callId: 'toolu_1' },
      { type: 'tool-call-start', callId: 'toolu_2', name: 'list' },
      { type: 'tool-call-delta', callId: 'toolu_2', json: '{}' },
      { type: 'tool-call-end', callId: 'toolu_2' },
    ])
    expect(endOf(events)).toMatchObject({
      finish: 'tool-calls',
      message: {
        content: [
          { type: 'text', text: 'a' },
          { type: 'tool-call', callId: 'toolu_1', name: 'execute', json: '{"code": "1 + 1"}' },
          { type: 'tool-call', callId: 'toolu_2', name: 'list', json: '{}' },
        ],
      },
    })
  })

  test('one that the tokens ran out in is ended, and kept as far as it came', async () => {
    const call = callBlock(0, 'toolu_1', 'execute', '{"code": "1').slice(0, -1)
    const events = await drained(start(), ...call, ...end('max_tokens'))
    expect(events.at(-2)).toEqual({ type: 'tool-call-end', callId: 'toolu_1' })
    expect(endOf(events)).toMatchObject({ finish: 'length', message: { content: [{ json: '{"code": "1' }] } })
  })

  test('of the vendor’s own tools are no calls of ours: they are kept as they are', async () => {
    const search = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} }
    const found = { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [{ encrypted_content: 'x' }] }
    const events = await drained(
      start(),
      ...block(
        0,
        search,
        { type: 'input_json_delta', partial_json: '{"query":' },
        { type: 'input_json_delta', partial_json: '"q"}' },
      ),
      ...block(1, found),
      ...end('pause_turn'),
    )
    expect(events.map(({ type }) => type)).toEqual(['end'])
    expect(endOf(events).finish).toBe('pause')
    expect(endOf(events).message.content.map((part) => part.type === 'reasoning' && part.opaque)).toEqual([
      { ...search, input: { query: 'q' } },
      found,
    ])
  })
})

describe('finish', () => {
  const cases: [string, string][] = [
    ['end_turn', 'stop'],
    ['stop_sequence', 'stop-sequence'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['tool_use', 'tool-calls'],
    ['pause_turn', 'pause'],
    ['refusal', 'refusal'],
  ]
  test.each(cases)('%s -> %s', async (reason, finish) => {
    expect(endOf(await drained(start(), ...textBlock(0, 'a'), ...end(reason))).finish).toBe(finish)
  })

  test.each(['compaction', null, ''])('%j is no end that is known: the reply is cut', async (reason) => {
    const events = drained(start(), ...textBlock(0, 'a'), ...end(reason))
    await expect(events).rejects.toMatchObject({ code: 'MODEL_STREAM_CUT' })
  })
})

describe('usage', () => {
  const first = { input_tokens: 10, cache_read_input_tokens: 200, cache_creation_input_tokens: 30, output_tokens: 1 }

  test('sums the input, read from the cache or not, and tells the parts', async () => {
    const last = { ...first, output_tokens: 50, output_tokens_details: { thinking_tokens: 40 } }
    expect(endOf(await drained(start(first), ...textBlock(0, 'a'), ...end('end_turn', last))).usage).toEqual({
      inputTokens: 240,
      outputTokens: 50,
      cachedInputTokens: 200,
      cacheWriteTokens: 30,
      reasoningTokens: 40,
    })
  })

  test('takes the last counts, and the first where the last event has none', async () => {
    const last = { input_tokens: 12, cache_read_input_tokens: null, output_tokens: 50 }
    const counting = { type: 'message_delta', delta: { stop_reason: null }, usage: { output_tokens: 20 } }
    const events = await drained(start(first), ...textBlock(0, 'a'), counting, ...end('end_turn', last))
    expect(endOf(events).usage).toEqual({
      inputTokens: 242,
      outputTokens: 50,
      cachedInputTokens: 200,
      cacheWriteTokens: 30,
    })
  })
})
