import type { AssistantMessage, LanguageModel, Message } from '@codeact/spec'
import { answered, drain, endOf, modelServer, type Received, streamed, task } from '@codeact/testing'
import { expect, test } from 'vitest'
import { openai } from '../../src/index.ts'

const HI = task('Hi')

const REFUSAL = {
  error: {
    message: 'The encrypted content gAAA… could not be verified.',
    type: 'invalid_request_error',
    param: null,
    code: 'invalid_encrypted_content',
  },
}

const contentsOf = ({ body }: Received) =>
  (body.input as { encrypted_content?: string }[]).flatMap(({ encrypted_content = [] }) => encrypted_content)

/** A server that reads the reasoning of one key alone, and answers with some of its own. */
async function serverOf(key: string) {
  const server = await modelServer((response, received) => {
    if (contentsOf(received).some((content) => !content.startsWith(key))) {
      return answered(400, REFUSAL)(response, received)
    }
    const item = { id: 'rs', type: 'reasoning', summary: [], encrypted_content: `${key} ${server.received.length}` }
    const events = [
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.output_text.delta', output_index: 1, delta: 'ok' },
      { type: 'response.completed', response: {} },
    ]
    return streamed(events)(response, received)
  })
  return server
}

const reply = async (model: LanguageModel, messages: readonly Message[]) =>
  endOf(await drain(model, { messages })).message

test('a session that goes on under another key: what it cannot read is left out for good, what is new is kept', async () => {
  await using old = await serverOf('old')
  await using now = await serverOf('now')
  const options = { api: 'responses', apiKey: 'k' } as const
  const before = [HI, await reply(openai('gpt-5', { ...options, baseURL: old.baseURL }), [HI]), HI]

  const model = openai('gpt-5', { ...options, baseURL: now.baseURL })
  const first = await reply(model, before)
  await reply(model, [...before, first, HI])
  expect(now.received.map(contentsOf)).toEqual([['old 1'], [], ['now 2']])
})

test('refused without reasoning in it, the call fails', async () => {
  await using server = await serverOf('now')
  const strange: AssistantMessage = {
    role: 'assistant',
    content: [
      { type: 'reasoning', provider: 'openai', model: 'gpt-5', opaque: { type: 'other', encrypted_content: 'old' } },
      { type: 'text', text: 'ok' },
    ],
  }
  const model = openai('gpt-5', { api: 'responses', baseURL: server.baseURL })
  await expect(reply(model, [HI, strange, HI])).rejects.toMatchObject({ code: 'MODEL_BAD_REQUEST' })
  expect(server.received.length).toBe(1)
})
