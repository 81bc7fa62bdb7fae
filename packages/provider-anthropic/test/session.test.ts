import { Agent } from '@codeact/core'
import { wasm } from '@codeact/executor-wasm'
import { xml } from '@codeact/parsers'
import { describeFourTasks, modelServer, streamed, type Turn } from '@codeact/testing'
import { afterAll, expect, test } from 'vitest'
import { anthropic } from '../src/index.ts'
import { end, start, textBlock } from './blocks.ts'
import { messages } from './dialect.ts'
import { subject } from './subject.ts'

const executor = wasm()
afterAll(() => executor.close())

const MARK = { cache_control: { type: 'ephemeral' } }
const thought = messages.reasoning?.(['Hm.'], 0)
const block = (text: string) => ({ type: 'text', text })

describeFourTasks({
  subject,
  createAgent: (model, tools) => new Agent({ model, tools, parser: xml(), executor }),
  body: (before, system) => ({
    model: 'm',
    max_tokens: 32_000,
    system: [{ ...block(system), ...MARK }],
    messages: turns(before),
    stream: true,
  }),
})

/** What is said becomes turns; the user's last two are marked at their ends, so that the API keeps what it has read. */
function turns(before: readonly Turn[]): object[] {
  const all: { role: string; content: object[] }[] = []
  for (const { who, text } of before) {
    const last = all.at(-1)
    if (who === 'reply') all.push({ role: 'assistant', content: [thought as object, block(text)] })
    else if (last?.role === 'user') last.content.push(block(text))
    else all.push({ role: 'user', content: [block(text)] })
  }
  for (const { content } of all.filter(({ role }) => role === 'user').slice(-2)) {
    content[content.length - 1] = { ...content.at(-1), ...MARK }
  }
  return all
}

test('a closing tag that a stop sequence ate is back in the next request', { timeout: 90_000 }, async () => {
  const cut = [
    start(),
    ...textBlock(0, 'So:\n<execute>\nprint(6 * 7)\n'),
    ...end('stop_sequence', {}, { stop_sequence: '</execute>' }),
  ]
  await using server = await modelServer(streamed(cut), streamed([start(), ...textBlock(0, 'It is 42.'), ...end()]))
  const model = anthropic('m', { baseURL: server.origin })
  const agent = new Agent({ model, parser: xml({ blocks: 'first' }), executor })
  expect((await agent.run('What is 6 times 7?')).answer).toBe('It is 42.')
  expect(server.received[0]?.body.stop_sequences).toEqual(['</execute>'])
  expect(server.received[1]?.body.messages).toEqual([
    { role: 'user', content: [{ ...block('What is 6 times 7?'), ...MARK }] },
    { role: 'assistant', content: [block('So:\n<execute>\nprint(6 * 7)\n</execute>')] },
    { role: 'user', content: [{ ...block('42'), ...MARK }] },
  ])
})
