import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { LanguageModel, Message, ModelEvent } from '@codeact/spec'
import { expect, test } from 'vitest'
import { anthropic } from '../src/index.ts'

const user = (text: string): Message => ({ role: 'user', kind: 'task', content: [{ type: 'text', text }] })

type End = Extract<ModelEvent, { type: 'end' }>

/** A server that says all of this and then nothing more, without end; and what it was asked. */
async function hanging(events: readonly object[]) {
  const bodies: { messages: { role: string; content: object[] }[] }[] = []
  const closed: Promise<unknown>[] = []
  const server = createServer(async (request, response) => {
    closed.push(new Promise((resolve) => response.once('close', resolve)))
    let text = ''
    for await (const piece of request.setEncoding('utf8')) text += piece
    bodies.push(JSON.parse(text))
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const event of events) {
      response.write(`event: ${(event as { type: string }).type}\ndata: ${JSON.stringify(event)}\n\n`)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const stop = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  const baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { baseURL, bodies, closed, [Symbol.asyncDispose]: stop }
}

/** The end of a reply that is left when `last` was heard. The connection is closed by then. */
async function leftAt(model: LanguageModel, messages: readonly Message[], last: string, closed: Promise<unknown>[]) {
  const enough = new AbortController()
  const events: ModelEvent[] = []
  for await (const event of model.stream({ messages, enough: enough.signal })) {
    events.push(event)
    if (event.type === 'end') await closed.at(-1)
    if (JSON.stringify(event).includes(last)) enough.abort()
  }
  return { events, end: events.at(-1) as End }
}

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
  await using server = await hanging([
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
  ])
  const model = anthropic('m', { baseURL: server.baseURL })
  const { events, end } = await leftAt(model, [user('Hi')], 'half', server.closed)
  expect(end).toMatchObject({ finish: 'stop-sequence' })
  expect(end.usage).toEqual({ inputTokens: 111, outputTokens: 2, cachedInputTokens: 100, isPartial: true })
  expect(end.message.content.map(({ type }) => type)).toEqual(['reasoning', 'text', 'tool-call'])
  expect(events.filter(({ type }) => type === 'tool-call-end')).toEqual([{ type: 'tool-call-end', callId: 'a' }])

  const result: Message = { role: 'tool', callId: 'a', content: [{ type: 'text', text: '1' }] }
  await leftAt(model, [user('Hi'), end.message, result], 'hm', server.closed)
  expect(server.bodies[1]?.messages.slice(1)).toMatchObject([
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
  await using server = await hanging([start, counts, ...text])
  const { end } = await leftAt(anthropic('m', { baseURL: server.baseURL }), [user('Hi')], 'So', server.closed)
  expect(end.usage).toMatchObject({ outputTokens: 9, isPartial: true })
})

test.each([
  ['half of it', thinking],
  ['all of it', signed],
])('a reply that was left in its thinking, %s: the user says the next thing', async (_much, events) => {
  await using server = await hanging([start, ...events, open(1, { type: 'text', text: 'So' })])
  const model = anthropic('m', { baseURL: server.baseURL })
  const { end } = await leftAt(model, [user('Hi')], 'hm', server.closed)
  expect(end.message.content.filter(({ type }) => type !== 'reasoning')).toEqual([])
  await leftAt(model, [user('Hi'), end.message, user('And?')], 'hm', server.closed)
  expect(server.bodies[1]?.messages.map(({ role, content }) => [role, content.length])).toEqual([['user', 2]])
})

test('one of the vendor’s own tools that has no result yet does not go back', async () => {
  const search = { type: 'server_tool_use', id: 's', name: 'web_search', input: {} }
  const found = { type: 'web_search_tool_result', tool_use_id: 's', content: [] }
  const again = { ...search, id: 't' }
  await using server = await hanging([
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
  ])
  const model = anthropic('m', { baseURL: server.baseURL })
  const { end } = await leftAt(model, [user('Hi')], 'enough', server.closed)
  await leftAt(model, [user('Hi'), end.message, user('And?')], 'enough', server.closed)
  const reply = server.bodies[1]?.messages[1]?.content.map((block) => (block as { type: string }).type)
  expect(reply).toEqual(['server_tool_use', 'web_search_tool_result', 'text', 'text'])
})
