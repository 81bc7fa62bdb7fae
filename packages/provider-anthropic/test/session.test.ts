import { Agent, tool } from '@codeact/core'
import { wasm } from '@codeact/executor-wasm'
import { xml } from '@codeact/parsers'
import { expect, test } from 'vitest'
import { anthropic } from '../src/index.ts'
import { type Turn, turns } from './four-tasks.ts'
import { end, type MessageServer, messageServer, start, streamed, textBlock, thinkingBlock } from './message-server.ts'

const MARK = { cache_control: { type: 'ephemeral' } }
const SIGNATURE = 'EqQBCgIYAhIM1gbcDa9GJwZA2b3h+/=='

const integer = { type: 'integer' } as const
const parameters = { type: 'object', properties: { a: integer, b: integer }, required: ['a', 'b'] } as const
const tools = [
  tool({ name: 'add', description: 'The sum.', parameters, returns: integer, execute: ({ a, b }) => a + b }),
  tool({ name: 'multiply', description: 'The product.', parameters, returns: integer, execute: ({ a, b }) => a * b }),
]

const tasks = turns.filter(({ who }) => who === 'task')
const replies = turns.filter(({ who }) => who === 'reply')

/** What the server counts, as if its cache held all that was marked before. */
const counted = { input_tokens: 3, cache_read_input_tokens: 100, cache_creation_input_tokens: 20, output_tokens: 9 }

const recorded = ({ text }: { readonly text: string }) =>
  streamed([start(counted), ...thinkingBlock(0, 'Hm.', SIGNATURE), ...textBlock(1, text), ...end('end_turn', counted)])

const block = (text: string) => ({ type: 'text', text })

/** The turn that one thing said makes; `isMarked`, when the API is to keep what it has read up to its end. */
function turn({ who, text, second }: Turn, isMarked: boolean): object {
  const thought = { type: 'thinking', thinking: 'Hm.', signature: SIGNATURE }
  if (who === 'reply') return { role: 'assistant', content: [thought, block(text)] }
  const mark = isMarked ? MARK : {}
  if (second === undefined) return { role: 'user', content: [{ ...block(text), ...mark }] }
  return { role: 'user', content: [block(text), { ...block(second), ...mark }] }
}

test('four tasks of one session: code runs, its results go back, and each request is right in full', {
  timeout: 90_000,
}, async () => {
  await using server = await messageServer(...replies.map(recorded))
  const model = anthropic('claude-x', { baseURL: server.baseURL })
  const executor = wasm()
  const agent = new Agent({ model, parser: xml(), executor, tools })
  {
    await using session = await agent.session()
    for (const { text } of tasks) {
      const { answer, usage } = await session.run(text)
      expect(answer).toBe(replies[server.received.length - 1]?.text)
      expect(usage).toEqual({ inputTokens: 246, outputTokens: 18, cachedInputTokens: 200, cacheWriteTokens: 40 })
    }
  }
  await executor.close()
  expect(server.received.length).toBe(replies.length)
  for (const [index, reply] of replies.entries()) expectRequest(server, index, turns.slice(0, turns.indexOf(reply)))
})

function expectRequest({ received }: MessageServer, index: number, before: readonly Turn[]): void {
  const users = before.filter(({ who }) => who !== 'reply').slice(-2)
  expect(received[index]?.url).toBe('/v1/messages')
  expect(received[index]?.body).toEqual({
    model: 'claude-x',
    max_tokens: 32_000,
    system: [{ type: 'text', text: expect.stringContaining('<execute>'), ...MARK }],
    messages: before.map((one) => turn(one, users.includes(one))),
    stream: true,
  })
  expect(received[index]?.body.system).toEqual(received[0]?.body.system)
}

test('a closing tag that a stop sequence ate is back in the next request', { timeout: 90_000 }, async () => {
  const cut = [
    start(),
    ...textBlock(0, 'So:\n<execute>\nprint(6 * 7)\n'),
    ...end('stop_sequence', {}, { stop_sequence: '</execute>' }),
  ]
  await using server = await messageServer(streamed(cut), streamed([start(), ...textBlock(0, 'It is 42.'), ...end()]))
  const executor = wasm()
  const agent = new Agent({
    model: anthropic('m', { baseURL: server.baseURL }),
    parser: xml({ blocks: 'first' }),
    executor,
  })
  expect((await agent.run('What is 6 times 7?')).answer).toBe('It is 42.')
  await executor.close()
  expect(server.received[0]?.body.stop_sequences).toEqual(['</execute>'])
  expect(server.received[1]?.body.messages).toEqual([
    { role: 'user', content: [{ ...block('What is 6 times 7?'), ...MARK }] },
    { role: 'assistant', content: [block('So:\n<execute>\nprint(6 * 7)\n</execute>')] },
    { role: 'user', content: [{ ...block('42'), ...MARK }] },
  ])
})
