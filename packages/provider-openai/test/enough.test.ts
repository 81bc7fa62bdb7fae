import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { LanguageModel, Message, ModelEvent } from '@codeact/spec'
import { expect, test } from 'vitest'
import { openai } from '../src/index.ts'

const say = (role: 'task' | 'observation', text: string): Message => ({
  role: 'user',
  kind: role,
  content: [{ type: 'text', text }],
})

type End = Extract<ModelEvent, { type: 'end' }>

/** A server that says all of this and then nothing more, without end; and what it was asked. */
async function hanging(events: readonly object[]) {
  const bodies: Record<string, unknown>[] = []
  const closed: Promise<unknown>[] = []
  const server = createServer(async (request, response) => {
    closed.push(new Promise((resolve) => response.once('close', resolve)))
    let text = ''
    for await (const piece of request.setEncoding('utf8')) text += piece
    bodies.push(JSON.parse(text))
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const event of events) response.write(`data: ${JSON.stringify(event)}\n\n`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  const stop = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
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

const chat = (delta: object, finish: string | null = null) => ({
  choices: [{ index: 0, delta, finish_reason: finish }],
})
const call = (index: number, more: object) => chat({ tool_calls: [{ index, ...more }] })

test('chat: text, a whole call and a half one; the counts are none; the next request is well formed', async () => {
  await using server = await hanging([
    chat({ reasoning_content: 'hm' }),
    chat({ content: 'So:' }),
    call(0, { id: 'a', function: { name: 'run', arguments: '{"code": "1"}' } }),
    call(1, { id: 'b', function: { name: 'run', arguments: '{"code": ' } }),
  ])
  const model = openai('m', { baseURL: server.baseURL })
  const { events, end } = await leftAt(model, [say('task', 'Hi')], '{\\"code\\": "', server.closed)
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
  await leftAt(model, [say('task', 'Hi'), end.message, result], 'hm', server.closed)
  expect(server.bodies[1]?.messages).toEqual([
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
  await using server = await hanging([{ ...chat({ content: 'So' }), usage }])
  const { end } = await leftAt(openai('m', { baseURL: server.baseURL }), [say('task', 'Hi')], 'So', server.closed)
  expect(end.usage).toEqual({ inputTokens: 7, outputTokens: 3, isPartial: true })
})

test('chat: behind the finish reason it is the normal end', async () => {
  const counts = { choices: [], usage: { prompt_tokens: 7, completion_tokens: 3 } }
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const event of [chat({ content: 'So' }, 'stop'), counts]) response.write(`data: ${JSON.stringify(event)}\n\n`)
    response.end('data: [DONE]\n\n')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  const { end } = await leftAt(openai('m', { baseURL }), [say('task', 'Hi')], 'So', [])
  expect(end).toMatchObject({ finish: 'stop', usage: { inputTokens: 7, outputTokens: 3 } })
  expect(end.usage.isPartial).toBeUndefined()
  await new Promise((resolve) => server.close(resolve))
})

test('responses: whole reasoning goes back; half reasoning and a half call do not', async () => {
  const reasoning = { id: 'rs_1', type: 'reasoning', summary: [], encrypted_content: 'gAAA' }
  const open = { id: 'rs_2', type: 'reasoning', summary: [] }
  await using server = await hanging([
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
    { type: 'response.output_item.added', output_index: 3, item: { type: 'function_call', call_id: 'a', name: 'run' } },
    { type: 'response.function_call_arguments.delta', output_index: 3, delta: '{"code": ' },
  ])
  const model = openai('gpt-5', { baseURL: server.baseURL, api: 'responses' })
  const { events, end } = await leftAt(model, [say('task', 'Hi')], '{\\"code\\": ', server.closed)
  expect(end).toMatchObject({
    finish: 'stop-sequence',
    usage: { inputTokens: 0, outputTokens: 0, isPartial: true },
  })
  expect(end.message.content.map(({ type }) => type)).toEqual(['reasoning', 'reasoning', 'text'])
  expect(events.some(({ type }) => type === 'tool-call-end')).toBe(false)

  await leftAt(model, [say('task', 'Hi'), end.message, say('observation', '1')], 'So', server.closed)
  expect(server.bodies[1]?.input).toEqual([
    { role: 'user', content: 'Hi' },
    reasoning,
    { role: 'assistant', content: 'So:', phase: 'commentary' },
    { role: 'user', content: '1' },
  ])
})

test('responses: reasoning alone, half or whole, is no reply to go back', async () => {
  const reasoning = { id: 'rs_1', type: 'reasoning', summary: [], encrypted_content: 'gAAA' }
  await using server = await hanging([
    { type: 'response.output_item.done', output_index: 0, item: reasoning },
    { type: 'response.output_item.added', output_index: 1, item: { id: 'rs_2', type: 'reasoning', summary: [] } },
    { type: 'response.reasoning_summary_text.delta', output_index: 1, delta: 'hm' },
  ])
  const model = openai('gpt-5', { baseURL: server.baseURL, api: 'responses' })
  const { end } = await leftAt(model, [say('task', 'Hi')], 'hm', server.closed)
  await leftAt(model, [say('task', 'Hi'), end.message, say('task', 'And?')], 'hm', server.closed)
  expect(server.bodies[1]?.input).toEqual([
    { role: 'user', content: 'Hi' },
    { role: 'user', content: 'And?' },
  ])
})
