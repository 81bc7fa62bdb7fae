import type { Message } from '@codeact/spec'
import { expect, test } from 'vitest'
import { openai } from '../src/index.ts'
import { apis } from './apis.ts'
import { drain, endOf } from './drain.ts'
import { SYSTEM, type Turn, turns } from './four-tasks.ts'
import { type ModelServer, modelServer, streamed } from './model-server.ts'
import { reasoningItem } from './responses/events.ts'

const replies = turns.filter(({ who }) => who === 'reply')

/** Plays the session as an agent does: each reply is asked for with all that was said before it. */
async function play(api: 'chat' | 'responses', write: (typeof apis)[number]['write']): Promise<ModelServer> {
  const answers = replies.map(({ text }) => streamed(write({ reasoning: ['Hm.'], text: Array.from(text) })))
  const server = await modelServer(...answers)
  const model = openai('m', { api, baseURL: server.baseURL, apiKey: 'k' })
  const messages: Message[] = [{ role: 'system', content: SYSTEM }]
  for (const { who, text } of turns) {
    if (who !== 'reply') messages.push({ role: 'user', kind: who, content: [{ type: 'text', text }] })
    else messages.push(endOf(await drain(model, { messages })).message)
  }
  return server
}

/** What must stand in the request for each reply: the turns before it. */
function before(reply: Turn): readonly Turn[] {
  return turns.slice(0, turns.indexOf(reply))
}

const role = ({ who }: Turn) => (who === 'reply' ? 'assistant' : 'user')

test('four tasks through Chat Completions: each request holds all that was said, and nothing else', async () => {
  await using server = await play('chat', apis[0].write)
  expect(server.received.map(({ url }) => url)).toEqual(replies.map(() => '/v1/chat/completions'))
  for (const [index, reply] of replies.entries()) {
    expect(server.received[index]?.body).toEqual({
      model: 'm',
      messages: [
        { role: 'system', content: SYSTEM },
        ...before(reply).map((turn) => ({ role: role(turn), content: turn.text })),
      ],
      stream: true,
      stream_options: { include_usage: true },
    })
  }
  expectGrowth(server, 'messages')
})

test('four tasks through Responses: the same, each reply with its reasoning before it', async () => {
  await using server = await play('responses', apis[1].write)
  expect(server.received.map(({ url }) => url)).toEqual(replies.map(() => '/v1/responses'))
  const thought = reasoningItem(0, ['Hm.'], 'gAAA')
  const key = server.received[0]?.body.prompt_cache_key
  expect(key).toMatch(/^\w{32}$/)
  for (const [index, reply] of replies.entries()) {
    expect(server.received[index]?.body).toEqual({
      model: 'm',
      prompt_cache_key: key,
      instructions: SYSTEM,
      input: before(reply).flatMap((turn) => [
        ...(turn.who === 'reply' ? [thought] : []),
        { role: role(turn), content: turn.text },
      ]),
      store: false,
      include: ['reasoning.encrypted_content'],
      stream: true,
    })
  }
  expectGrowth(server, 'input')
})

/** Byte by byte: what the vendor's cache goes by. */
function expectGrowth({ received }: ModelServer, field: string): void {
  const spelled = received.map(({ body }) => JSON.stringify(body[field]).slice(0, -1))
  expect(spelled.length).toBe(8)
  for (const [index, text] of spelled.entries()) {
    if (index > 0) expect(text.startsWith(`${spelled[index - 1]},`)).toBe(true)
  }
}
