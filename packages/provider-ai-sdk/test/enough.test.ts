import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAnthropic } from '@ai-sdk/anthropic'
import type { LanguageModel, Message, ModelEvent } from '@codeact/spec'
import { describe, expect, test } from 'vitest'
import { aiSdk } from '../src/index.ts'
import { fake, makers } from './models.ts'

const user = (text: string): Message => ({ role: 'user', kind: 'task', content: [{ type: 'text', text }] })

type End = Extract<ModelEvent, { type: 'end' }>

/** A server that says all of this and then nothing more, without end; and what it was asked. */
async function hanging(events: readonly object[]) {
  const bodies: { messages: Record<string, unknown>[] }[] = []
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
  const stop = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  const baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
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

const chat = (delta: object) => ({
  id: 'c',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'm',
  choices: [{ index: 0, delta, finish_reason: null }],
})

describe.each(makers)('a model of specification %s', (_version, make) => {
  test('text as far as it came; a half call does not go back', async () => {
    await using server = await hanging([
      chat({ content: 'So:' }),
      chat({
        tool_calls: [{ index: 0, id: 'a', type: 'function', function: { name: 'run', arguments: '{"half": ' } }],
      }),
    ])
    const model = aiSdk(make(server))
    const { end } = await leftAt(model, [user('Hi')], 'half', server.closed)
    expect(end).toEqual({
      type: 'end',
      message: { role: 'assistant', content: [{ type: 'text', text: 'So:' }] },
      finish: 'stop-sequence',
      usage: { inputTokens: 0, outputTokens: 0, isPartial: true },
    })
    await leftAt(model, [user('Hi'), end.message, user('And?')], 'So', server.closed)
    expect(server.bodies[1]?.messages).toEqual([
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'So:' },
      { role: 'user', content: 'And?' },
    ])
  })
})

test('reasoning goes back when it is signed, and half of it does not', async () => {
  const block = (index: number, content_block: object, ...deltas: object[]) => [
    { type: 'content_block_start', index, content_block },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
  ]
  const thinking = { type: 'thinking', thinking: '', signature: '' }
  const usage = { input_tokens: 1, output_tokens: 1 }
  const message = { id: 'm', type: 'message', role: 'assistant', model: 'm', content: [], usage }
  await using server = await hanging([
    { type: 'message_start', message },
    ...block(0, thinking, { type: 'thinking_delta', thinking: 'hm' }, { type: 'signature_delta', signature: 'c2ln' }),
    { type: 'content_block_stop', index: 0 },
    ...block(1, { type: 'text', text: '' }, { type: 'text_delta', text: 'So:' }),
    { type: 'content_block_stop', index: 1 },
    ...block(2, thinking, { type: 'thinking_delta', thinking: 'half' }),
  ])
  const vendor = createAnthropic({ baseURL: server.baseURL, apiKey: 'k' })
  const model = aiSdk(vendor('claude-sonnet-4-5'), {
    request: { providerOptions: { anthropic: { thinking: { type: 'enabled', budgetTokens: 1024 } } } },
  })
  const { end } = await leftAt(model, [user('Hi')], 'half', server.closed)
  await leftAt(model, [user('Hi'), end.message, user('And?')], 'hm', server.closed)
  expect(server.bodies[1]?.messages[1]).toMatchObject({
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: 'hm', signature: 'c2ln' },
      { type: 'text', text: 'So:' },
    ],
  })
})

test('a stream that does not look at the signal is cancelled', async () => {
  const made = fake('v3', [{ type: 'text-delta', id: '1', delta: 'So' }, 'hang'])
  const { end } = await leftAt(aiSdk(made.model), [user('Hi')], 'So', [])
  expect(end).toMatchObject({ finish: 'stop-sequence', usage: { isPartial: true } })
  expect(made.isCancelled).toBe(true)
})

test('what a provider says of a half text is left out: it may point at the whole', async () => {
  const providerMetadata = { openai: { itemId: 'msg_1' } }
  const text = [
    { type: 'text-start', id: '1', providerMetadata },
    { type: 'text-delta', id: '1', delta: 'So' },
  ]
  const made = fake('v3', [...text, 'hang'])
  const { end } = await leftAt(aiSdk(made.model), [user('Hi')], 'So', [])
  expect(end.message.content).toEqual([{ type: 'text', text: 'So' }])
})
