import type { ModelEvent } from '@codeact/spec'
import { drain, endOf, modelServer, streamed } from '@codeact/testing'
import { describe, expect, test } from 'vitest'
import { openai } from '../../src/index.ts'
import { chunk } from './chunks.ts'

type CallDelta = { index?: number; id?: string; function?: { name?: string; arguments?: string } }

async function play(...deltas: (CallDelta | string)[]): Promise<ModelEvent[]> {
  const chunks = deltas.map((delta) => chunk(typeof delta === 'string' ? { content: delta } : { tool_calls: [delta] }))
  await using server = await modelServer(streamed([...chunks, chunk({}, 'tool_calls')]))
  return await drain(openai('m', { baseURL: server.baseURL }))
}

describe('streamed tool calls', () => {
  test('are put together by their index, in the order in which they began, between the text', async () => {
    const events = await play(
      'Let me see. ',
      { index: 0, id: 'call_a', function: { name: 'python', arguments: '' } },
      { index: 0, function: { arguments: '{"code"' } },
      { index: 1, id: 'call_b', function: { name: 'bash', arguments: '{' } },
      { index: 0, function: { arguments: ':"1 + 1"}' } },
      { index: 1, function: { arguments: '}' } },
    )
    expect(events.slice(0, -1)).toEqual([
      { type: 'text-delta', text: 'Let me see. ' },
      { type: 'tool-call-start', callId: 'call_a', name: 'python' },
      { type: 'tool-call-delta', callId: 'call_a', json: '{"code"' },
      { type: 'tool-call-start', callId: 'call_b', name: 'bash' },
      { type: 'tool-call-delta', callId: 'call_b', json: '{' },
      { type: 'tool-call-delta', callId: 'call_a', json: ':"1 + 1"}' },
      { type: 'tool-call-delta', callId: 'call_b', json: '}' },
      { type: 'tool-call-end', callId: 'call_a' },
      { type: 'tool-call-end', callId: 'call_b' },
    ])
    expect(endOf(events).message.content).toEqual([
      { type: 'text', text: 'Let me see. ' },
      { type: 'tool-call', callId: 'call_a', name: 'python', json: '{"code":"1 + 1"}' },
      { type: 'tool-call', callId: 'call_b', name: 'bash', json: '{}' },
    ])
  })

  test('malformed arguments arrive as they were written', async () => {
    const events = await play({ index: 0, id: 'a', function: { name: 'f', arguments: '{"x": ' } })
    expect(endOf(events).message.content).toEqual([{ type: 'tool-call', callId: 'a', name: 'f', json: '{"x": ' }])
  })

  test('a new id under the same index is another call', async () => {
    const events = await play(
      { index: 0, id: 'a', function: { name: 'f', arguments: '{}' } },
      { index: 0, id: 'b', function: { name: 'g', arguments: '{}' } },
    )
    expect(endOf(events).message.content).toMatchObject([{ callId: 'a' }, { callId: 'b' }])
  })

  test('without an index, a delta without an id goes on with the last call', async () => {
    const events = await play(
      { id: 'a', function: { name: 'f', arguments: '{' } },
      { function: { arguments: '}' } },
      { id: 'b', function: { name: 'g', arguments: '[]' } },
    )
    expect(endOf(events).message.content).toMatchObject([
      { callId: 'a', json: '{}' },
      { callId: 'b', json: '[]' },
    ])
  })

  test('calls without ids get their own', async () => {
    const events = await play(
      { index: 0, function: { name: 'f', arguments: '{}' } },
      { index: 1, function: { name: 'f', arguments: '{}' } },
    )
    const ids = events.flatMap((event) => (event.type === 'tool-call-start' ? [event.callId] : []))
    expect(ids.length).toBe(2)
    expect(ids[0]).toMatch(/^call_\w+$/)
    expect(ids[0]).not.toBe(ids[1])
  })
})
