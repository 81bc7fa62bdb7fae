import type { Message } from '@codeact/spec'
import { drain, modelServer, streamed, task } from '@codeact/testing'
import { describe, expect, test } from 'vitest'
import { anthropic } from '../src/index.ts'
import { reply } from './blocks.ts'

const text = (words: string) => ({ type: 'text', text: words }) as const
const system: Message = { role: 'system', content: 'Be brief.' }
const said = (words: string): Message => ({ role: 'assistant', content: [text(words)] })
const called = (...ids: string[]): Message => ({
  role: 'assistant',
  content: ids.map((callId) => ({ type: 'tool-call', callId, name: 'run', json: '{}' })),
})
const result = (callId: string): Message => ({ role: 'tool', callId, content: [text('1')] })
const tools = [{ name: 'run', description: 'Runs.', parameters: { type: 'object' } }]

interface Body {
  readonly tools: object[]
  readonly system?: object[]
  readonly messages: { role: string; content: object[] }[]
}

interface Prefixes {
  /** The prompt, block by block, in the order in which the API reads it. */
  readonly blocks: string[]
  /** Where a mark is: how many blocks are before and with it. */
  readonly marks: number[]
}

async function requests(...transcripts: Message[][]): Promise<Prefixes[]> {
  await using server = await modelServer(streamed(reply('ok')))
  const model = anthropic('m', { baseURL: server.origin })
  for (const messages of transcripts) await drain(model, { messages, tools })
  return server.received.map(({ body }) => prefixes(body as unknown as Body))
}

function prefixes({ tools, system = [], messages }: Body): Prefixes {
  const spoken = messages.flatMap(({ role, content }) => content.map((block) => ({ role, ...block })))
  const all: { cache_control?: object }[] = [...tools, ...system, ...spoken]
  return {
    blocks: all.map(({ cache_control, ...block }) => JSON.stringify(block)),
    marks: all.flatMap(({ cache_control }, index) => (cache_control ? [index + 1] : [])),
  }
}

const histories: [string, Message[], number[]][] = [
  [
    'replies and observations',
    [system, task('a'), said('b'), task('c'), said('d'), task('e'), said('f'), task('g')],
    [2, 4, 6, 8],
  ],
  [
    'several tool results at once',
    [system, task('a'), called('1', '2', '3'), ...['1', '2', '3'].map(result), said('b'), task('c')],
    [2, 6, 8],
  ],
  [
    'a code block and a note about it',
    [system, task('a'), said('b'), task('c'), task('d'), said('e'), task('f')],
    [2, 5, 7],
  ],
  ['no system message', [task('a'), said('b'), task('c'), said('d'), task('e')], [1, 3, 5]],
]

describe.each(histories)('a history of %s', (_name, history, lengths) => {
  test('grows at its end only, and each request reads up to where the one before it wrote', async () => {
    const made = await requests(...lengths.map((length) => history.slice(0, length)))
    for (const [index, { blocks, marks }] of made.entries()) {
      expect(marks.length).toBeLessThanOrEqual(4)
      expect(marks.at(-1)).toBe(blocks.length) // all that is sent is written
      const before = made[index - 1]
      if (before === undefined) continue
      expect(blocks.slice(0, before.blocks.length)).toEqual(before.blocks)
      expect(marks).toContain(before.marks.at(-1)) // and this is read
      expect(marks[0]).toBe(before.marks[0]) // what never changes
    }
  })
})

test('the marks are three at most, so that `request` may have one of its own', async () => {
  const [made] = await requests([system, task('a'), said('b'), task('c'), said('d'), task('e')])
  expect(made?.marks).toEqual([2, 5, 7])
})
