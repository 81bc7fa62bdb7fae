import { createAnthropic } from '@ai-sdk/anthropic'
import type { Message } from '@codeact/spec'
import { type Answer, drain, endOf, joined, modelServer, task } from '@codeact/testing'
import { describe, expect, test } from 'vitest'
import { aiSdk } from '../src/index.ts'
import { fake, finish } from './models.ts'

const SIGNATURE = 'EqQBCkYIBxgCKkBy+/=='

/** A reply as Anthropic's Messages API streams it: thinking with its signature, thinking that is hidden, then text. */
const thinking: Answer = (response) => {
  const block = (index: number, content: object, ...deltas: object[]) => [
    { type: 'content_block_start', index, content_block: content },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ]
  const usage = { input_tokens: 10, cache_read_input_tokens: 100, cache_creation_input_tokens: 20, output_tokens: 1 }
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [], stop_reason: null, usage }
  const events = [
    { type: 'message_start', message },
    ...block(
      0,
      { type: 'thinking', thinking: '', signature: '' },
      { type: 'thinking_delta', thinking: 'Let me ' },
      { type: 'thinking_delta', thinking: 'think.' },
      { type: 'signature_delta', signature: SIGNATURE },
    ),
    ...block(1, { type: 'redacted_thinking', data: 'hidden==' }),
    ...block(2, { type: 'text', text: '' }, { type: 'text_delta', text: '<execute>1' }),
    {
      type: 'message_delta',
      delta: { stop_reason: 'stop_sequence', stop_sequence: '</execute>' },
      usage: { output_tokens: 9 },
    },
    { type: 'message_stop' },
  ]
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.end(events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''))
}

test('thinking of Anthropic comes back to it byte by byte, and to no other model', async () => {
  await using server = await modelServer(thinking)
  const anthropic = createAnthropic({ baseURL: server.baseURL, apiKey: 'k' })
  const request = {
    providerOptions: { anthropic: { thinking: { type: 'enabled', budgetTokens: 1024 } } },
    maxOutputTokens: 2000,
  }
  const model = aiSdk(anthropic('claude-sonnet-4-5'), { request })
  const events = await drain(model, { stop: ['</execute>'] })
  expect(joined(events, 'reasoning-delta')).toBe('Let me think.')
  const { message, finish: end, usage } = endOf(events)
  expect(end).toBe('stop-sequence')
  expect(usage).toMatchObject({ inputTokens: 130, outputTokens: 9, cachedInputTokens: 100, cacheWriteTokens: 20 })

  // As a recording or a browser would have it.
  const kept = JSON.parse(JSON.stringify(message)) as Message
  await drain(model, { messages: [task('Hi'), kept, task('Go on')] })
  const sent = server.received[1]?.body.messages as { content: unknown }[]
  expect(sent[1]?.content).toMatchObject([
    { type: 'thinking', thinking: 'Let me think.', signature: SIGNATURE },
    { type: 'redacted_thinking', data: 'hidden==' },
    { type: 'text', text: '<execute>1' },
  ])

  await drain(aiSdk(anthropic('claude-opus-4-5'), { request }), { messages: [task('Hi'), kept, task('Go on')] })
  const other = server.received[2]?.body.messages as { content: unknown }[]
  expect(other[1]?.content).toMatchObject([{ type: 'text', text: '<execute>1' }])
})

describe.each(['v2', 'v3', 'v4'])('what a provider of specification %s says of its parts', (version) => {
  const said = (id: string) => ({ vendor: { itemId: id, encrypted: `${id}==` } })
  const reply = [
    { type: 'reasoning-start', id: 'r', providerMetadata: { vendor: { itemId: 'r', encrypted: null } } },
    { type: 'reasoning-delta', id: 'r', delta: 'Hm.' },
    { type: 'reasoning-end', id: 'r', providerMetadata: said('r') },
    { type: 'text-start', id: 't', providerMetadata: said('t') },
    { type: 'text-delta', id: 't', delta: 'Now:' },
    { type: 'text-end', id: 't' },
    { type: 'tool-call', toolCallId: 'c', toolName: 'run', input: '{"a":1}', providerMetadata: said('c') },
    finish(version, 'tool-calls'),
  ]

  test('goes back with them, untouched', async () => {
    const { model, calls } = fake(version, reply)
    const wrapped = aiSdk(model)
    const { message } = endOf(await drain(wrapped))
    const result: Message = { role: 'tool', callId: 'c', content: [{ type: 'text', text: 'no' }], isError: true }
    await drain(wrapped, { messages: [message, result] })
    expect(calls[1]?.prompt).toEqual([
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'Hm.', providerOptions: said('r') },
          { type: 'text', text: 'Now:', providerOptions: said('t') },
          { type: 'tool-call', toolCallId: 'c', toolName: 'run', input: { a: 1 }, providerOptions: said('c') },
        ],
      },
      {
        role: 'tool',
        content: [
          { type: 'tool-result', toolCallId: 'c', toolName: 'run', output: { type: 'error-text', value: 'no' } },
        ],
      },
    ])
  })

  test('stays away from another model, and from reasoning of another provider', async () => {
    const first = fake(version, reply)
    const { message } = endOf(await drain(aiSdk(first.model)))
    const other = fake(version, reply)
    const foreign = { type: 'reasoning', provider: 'anthropic', model: 'vendor.chat/m', opaque: {} } as const
    const messages = [{ ...message, content: [foreign, ...message.content] }]
    await drain(aiSdk({ ...other.model, modelId: 'n' }), { messages })
    expect(JSON.stringify(other.calls[0]?.prompt)).not.toMatch(/vendor|Hm|providerOptions|reasoning/)
  })

  test('arguments that are not JSON go back as an object that shows them', async () => {
    const { model, calls } = fake(version, [finish(version)])
    const call = (json: string) => ({ type: 'tool-call', callId: 'c', name: 'run', json }) as const
    await drain(aiSdk(model), { messages: [{ role: 'assistant', content: [call('{"a":'), call('')] }] })
    expect(calls[0]?.prompt).toMatchObject([{ content: [{ input: { malformed: '{"a":' } }, { input: {} }] }])
  })
})
