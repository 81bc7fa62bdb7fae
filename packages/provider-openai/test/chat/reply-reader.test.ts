import { drain, endOf, joined, modelServer, streamed } from '@codeact/testing'
import { describe, expect, test } from 'vitest'
import { openai } from '../../src/index.ts'
import { chunk } from './chunks.ts'

describe('a streamed reply', () => {
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
