import type { Message } from '@codeact/spec'
import { begun, hearUntil, modelServer, streamed, task } from '@codeact/testing'
import { expect, test } from 'vitest'
import { openai } from '../src/index.ts'

const chat = (delta: object, finish: string | null = null) => ({
  choices: [{ index: 0, delta, finish_reason: finish }],
})
const call = (index: number, more: object) => chat({ tool_calls: [{ index, ...more }] })

test('chat: text, a whole call and a half one; the counts are none; the next request is well formed', async () => {
  await using server = await modelServer(
    begun([
      chat({ reasoning_content: 'hm' }),
      chat({ content: 'So:' }),
      call(0, { id: 'a', function: { name: 'run', arguments: '{"code": "1"}' } }),
      call(1, { id: 'b', function: { name: 'run', arguments: '{"code": ' } }),
    ]),
  )
  const model = openai('m', { baseURL: server.baseURL })
  const { events, end } = await hearUntil('{\\"code\\": "', model, [task('Hi')], server)
  expect(end).toEqual({
    type: 'end',
    message: {
      role: 'assistant',
      content: [
        { type: 'text', text: 'So:' },
        { type: 'tool-call', callId: 'a', name: 'run', json: '{"code": "1"}' },
      ],
    },
    finish: 'stop-sequence',
    usage: { inputTokens: 0, outputTokens: 0, isPartial: true },
  })
  expect(events.filter(({ type }) => type === 'tool-call-end')).toEqual([{ type: 'tool-call-end', callId: 'a' }])

  const result: Message = { role: 'tool', callId: 'a', content: [{ type: 'text', text: '1' }] }
  await hearUntil('hm', model, [task('Hi'), end.message, result], server)
  expect(server.received[1]?.body.messages).toEqual([
    { role: 'user', content: 'Hi' },
    {
      role: 'assistant',
      content: 'So:',
      tool_calls: [{ id: 'a', type: 'function', function: { name: 'run', arguments: '{"code": "1"}' } }],
    },
    { role: 'tool', tool_call_id: 'a', content: '1' },
  ])
})

test('chat: a server that counts as it goes is believed', async () => {
  const usage = { prompt_tokens: 7, completion_tokens: 3 }
  await using server = await modelServer(begun([{ ...chat({ content: 'So' }), usage }]))
  const { end } = await hearUntil('So', openai('m', { baseURL: server.baseURL }), [task('Hi')], server)
  expect(end.usage).toEqual({ inputTokens: 7, outputTokens: 3, isPartial: true })
})

test('chat: behind the finish reason it is the normal end', async () => {
  const counts = { choices: [], usage: { prompt_tokens: 7, completion_tokens: 3 } }
  await using server = await modelServer(streamed([chat({ content: 'So' }, 'stop'), counts, '[DONE]']))
  const { end } = await hearUntil('So', openai('m', { baseURL: server.baseURL }), [task('Hi')])
  expect(end).toMatchObject({ finish: 'stop', usage: { inputTokens: 7, outputTokens: 3 } })
  expect(end.usage.isPartial).toBeUndefined()
})

test('responses: whole reasoning goes back; half reasoning and a half call do not', async () => {
  const reasoning = { id: 'rs_1', type: 'reasoning', summary: [], encrypted_content: 'gAAA' }
  const open = { id: 'rs_2', type: 'reasoning', summary: [] }
  await using server = await modelServer(
    begun([
      { type: 'response.created', response: {} },
      { type: 'response.output_item.added', output_index: 0, item: { ...reasoning, encrypted_content: null } },
      { type: 'response.output_item.done', output_index: 0, item: reasoning },
      {
        type: 'response.output_item.added',
        output_index: 1,
        item: { type: 'message', content: [], phase: 'commentary' },
      },
      { type: 'response.output_text.delta', output_index: 1, delta: 'So:' },
      { type: 'response.output_item.added', output_index: 2, item: open },
      { type: 'response.reasoning_summary_text.delta', output_index: 2, delta: 'hm' },
      {
        type: 'response.output_item.added',
        output_index: 3,
        item: { type: 'function_call', call_id: 'a', name: 'run' },
      },
      { type: 'response.function_call_arguments.delta', output_index: 3, delta: '{"code": ' },
    ]),
  )
  const model = openai('gpt-5', { baseURL: server.baseURL, api: 'responses' })
  const { events, end } = await hearUntil('{\\"code\\": ', model, [task('Hi')], server)
  expect(end).toMatchObject({
    finish: 'stop-sequence',
    usage: { inputTokens: 0, outputTokens: 0, isPartial: true },
  })
  expect(end.message.content.map(({ type }) => type)).toEqual(['reasoning', 'reasoning', 'text'])
  expect(events.some(({ type }) => type === 'tool-call-end')).toBe(false)

  await hearUntil('So', model, [task('Hi'), end.message, task('1')], server)
  expect(server.received[1]?.body.input).toEqual([
    { role: 'user', content: 'Hi' },
    reasoning,
    { role: 'assistant', content: 'So:', phase: 'commentary' },
    { role: 'user', content: '1' },
  ])
})

test('responses: reasoning alone, half or whole, is no reply to go back', async () => {
  const reasoning = { id: 'rs_1', type: 'reasoning', summary: [], encrypted_content: 'gAAA' }
  await using server = await modelServer(
    begun([
      { type: 'response.output_item.done', output_index: 0, item: reasoning },
      { type: 'response.output_item.added', output_index: 1, item: { id: 'rs_2', type: 'reasoning', summary: [] } },
      { type: 'response.reasoning_summary_text.delta', output_index: 1, delta: 'hm' },
    ]),
  )
  const model = openai('gpt-5', { baseURL: server.baseURL, api: 'responses' })
  const { end } = await hearUntil('hm', model, [task('Hi')], server)
  await hearUntil('hm', model, [task('Hi'), end.message, task('And?')], server)
  expect(server.received[1]?.body.input).toEqual([
    { role: 'user', content: 'Hi' },
    { role: 'user', content: 'And?' },
  ])
})
