import { createAnthropic } from '@ai-sdk/anthropic'
import { begun, hearUntil, modelServer, task } from '@codeact/testing'
import { describe, expect, test } from 'vitest'
import { aiSdk } from '../src/index.ts'
import { fake, makers } from './models.ts'

const chat = (delta: object) => ({
  id: 'c',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'm',
  choices: [{ index: 0, delta, finish_reason: null }],
})

describe.each(makers)('a model of specification %s', (_version, make) => {
  test('text as far as it came; a half call does not go back', async () => {
    await using server = await modelServer(
      begun([
        chat({ content: 'So:' }),
        chat({
          tool_calls: [{ index: 0, id: 'a', type: 'function', function: { name: 'run', arguments: '{"half": ' } }],
        }),
      ]),
    )
    const model = aiSdk(make(server))
    const { end } = await hearUntil('half', model, [task('Hi')], server)
    expect(end).toEqual({
      type: 'end',
      message: { role: 'assistant', content: [{ type: 'text', text: 'So:' }] },
      finish: 'stop-sequence',
      usage: { inputTokens: 0, outputTokens: 0, isPartial: true },
    })
    await hearUntil('So', model, [task('Hi'), end.message, task('And?')], server)
    expect(server.received[1]?.body.messages).toEqual([
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
  await using server = await modelServer(
    begun([
      { type: 'message_start', message },
      ...block(0, thinking, { type: 'thinking_delta', thinking: 'hm' }, { type: 'signature_delta', signature: 'c2ln' }),
      { type: 'content_block_stop', index: 0 },
      ...block(1, { type: 'text', text: '' }, { type: 'text_delta', text: 'So:' }),
      { type: 'content_block_stop', index: 1 },
      ...block(2, thinking, { type: 'thinking_delta', thinking: 'half' }),
    ]),
  )
  const vendor = createAnthropic({ baseURL: server.baseURL, apiKey: 'k' })
  const model = aiSdk(vendor('claude-sonnet-4-5'), {
    request: { providerOptions: { anthropic: { thinking: { type: 'enabled', budgetTokens: 1024 } } } },
  })
  const { end } = await hearUntil('half', model, [task('Hi')], server)
  await hearUntil('hm', model, [task('Hi'), end.message, task('And?')], server)
  const content = [
    { type: 'thinking', thinking: 'hm', signature: 'c2ln' },
    { type: 'text', text: 'So:' },
  ]
  expect(server.received[1]?.body.messages).toMatchObject([{ role: 'user' }, { role: 'assistant', content }, {}])
})

test('a stream that does not look at the signal is cancelled', async () => {
  const made = fake('v3', [{ type: 'text-delta', id: '1', delta: 'So' }, 'hang'])
  const { end } = await hearUntil('So', aiSdk(made.model), [task('Hi')])
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
  const { end } = await hearUntil('So', aiSdk(made.model), [task('Hi')])
  expect(end.message.content).toEqual([{ type: 'text', text: 'So' }])
})
