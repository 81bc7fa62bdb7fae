import type { Message } from '@codeact/spec'
import { begun, hearUntil, type ModelServer, modelServer, task } from '@codeact/testing'
import { expect, test } from 'vitest'
import { anthropic } from '../src/index.ts'

/** Those of the second request. */
const messagesOf = ({ received }: ModelServer) =>
  received[1]?.body.messages as { role: string; content: { type: string }[] }[]

const start = {
  type: 'message_start',
  message: { content: [], usage: { input_tokens: 11, cache_read_input_tokens: 100, output_tokens: 2 } },
}
const open = (index: number, content_block: object) => ({ type: 'content_block_start', index, content_block })
const delta = (index: number, piece: object) => ({ type: 'content_block_delta', index, delta: piece })
const stop = (index: number) => ({ type: 'content_block_stop', index })

const thinking = [
  open(0, { type: 'thinking', thinking: '', signature: '' }),
  delta(0, { type: 'thinking_delta', thinking: 'hm' }),
]
const signed = [...thinking, delta(0, { type: 'signature_delta', signature: 'c2ln' }), stop(0)]

test('text as far as it came, whole thinking, a whole call; what was counted; and the next request is well formed', async () => {
  await using server = await modelServer(
    begun([
      start,
      ...signed,
      open(1, { type: 'text', text: '' }),
      delta(1, { type: 'text_delta', text: 'So:' }),
      stop(1),
      open(2, { type: 'tool_use', id: 'a', name: 'run', input: {} }),
      delta(2, { type: 'input_json_delta', partial_json: '{"code": "1"}' }),
      stop(2),
      open(3, { type: 'thinking', thinking: '', signature: '' }),
      delta(3, { type: 'thinking_delta', thinking: 'and' }),
      open(4, { type: 'tool_use', id: 'b', name: 'run', input: {} }),
      delta(4, { type: 'input_json_delta', partial_json: '{"half": ' }),
    ]),
  )
  const model = anthropic('m', { baseURL: server.origin })
  const { events, end } = await hearUntil('half', model, [task('Hi')], server)
  expect(end).toMatchObject({ finish: 'stop-sequence' })
  expect(end.usage).toEqual({ inputTokens: 111, outputTokens: 2, cachedInputTokens: 100, isPartial: true })
  expect(end.message.content.map(({ type }) => type)).toEqual(['reasoning', 'text', 'tool-call'])
  expect(events.filter(({ type }) => type === 'tool-call-end')).toEqual([{ type: 'tool-call-end', callId: 'a' }])

  const result: Message = { role: 'tool', callId: 'a', content: [{ type: 'text', text: '1' }] }
  await hearUntil('hm', model, [task('Hi'), end.message, result], server)
  expect(messagesOf(server).slice(1)).toMatchObject([
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'hm', signature: 'c2ln' },
        { type: 'text', text: 'So:' },
        { type: 'tool_use', id: 'a', name: 'run', input: { code: '1' } },
      ],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a' }] },
  ])
})

test('later counts of the stream are the ones that are told', async () => {
  const counts = { type: 'message_delta', delta: {}, usage: { output_tokens: 9 } }
  const text = [open(0, { type: 'text', text: '' }), delta(0, { type: 'text_delta', text: 'So' })]
  await using server = await modelServer(begun([start, counts, ...text]))
  const { end } = await hearUntil('So', anthropic('m', { baseURL: server.origin }), [task('Hi')], server)
  expect(end.usage).toMatchObject({ outputTokens: 9, isPartial: true })
})

test.each([
  ['half of it', thinking],
  ['all of it', signed],
])('a reply that was left in its thinking, %s: the user says the next thing', async (_much, events) => {
  await using server = await modelServer(begun([start, ...events, open(1, { type: 'text', text: 'So' })]))
  const model = anthropic('m', { baseURL: server.origin })
  const { end } = await hearUntil('hm', model, [task('Hi')], server)
  expect(end.message.content.filter(({ type }) => type !== 'reasoning')).toEqual([])
  await hearUntil('hm', model, [task('Hi'), end.message, task('And?')], server)
  expect(messagesOf(server).map(({ role, content }) => [role, content.length])).toEqual([['user', 2]])
})

test('one of the vendor’s own tools that has no result yet does not go back', async () => {
  const search = { type: 'server_tool_use', id: 's', name: 'web_search', input: {} }
  const found = { type: 'web_search_tool_result', tool_use_id: 's', content: [] }
  const again = { ...search, id: 't' }
  await using server = await modelServer(
    begun([
      start,
      open(0, search),
      stop(0),
      open(1, found),
      stop(1),
      open(2, { type: 'text', text: 'So' }),
      stop(2),
      open(3, again),
      delta(3, { type: 'input_json_delta', partial_json: '{}' }),
      stop(3),
      open(4, { type: 'text', text: 'enough' }),
    ]),
  )
  const model = anthropic('m', { baseURL: server.origin })
  const { end } = await hearUntil('enough', model, [task('Hi')], server)
  await hearUntil('enough', model, [task('Hi'), end.message, task('And?')], server)
  const reply = messagesOf(server)[1]?.content.map(({ type }) => type)
  expect(reply).toEqual(['server_tool_use', 'web_search_tool_result', 'text', 'text'])
})
