import { fenced, xml } from '@codeact/parsers'
import { describe, expect, it } from 'vitest'
import { untilEnough } from '../src/loop/enough.ts'
import { python, scriptedAgent } from './support.ts'

const block = (code: string): string => `\`\`\`python\n${code}\n\`\`\`\n`
const MADE_UP = `Output: 41\n\nDONE: 41\n\n${block('x = 41')}`.repeat(3)

describe.skipIf(!python.isMet)(`a reply that goes on behind its first block ${python.reason}`, () => {
  it.each(['cut', 'drain'] as const)('counts up to there: %s', async (rest) => {
    const parser = fenced({ blocks: 'first', rest })
    const { agent, model } = scriptedAgent([`${block('x = 42\nx')}${MADE_UP}`, block('x'), 'It is 42.'], { parser })
    const { answer, usage, steps } = await agent.run('…')
    expect(answer).toBe('It is 42.')
    expect(steps.map(({ executions }) => executions.map(({ value }) => value?.['text/plain']))).toEqual([
      ['42'],
      ['42'],
      [],
    ])
    expect(usage.isPartial).toBe(rest === 'cut' ? true : undefined)
    const [, , first] = model.requests[1]?.messages ?? []
    expect(first?.content).toEqual([{ type: 'text', text: block('x = 42\nx') }])
  })

  it('is heard as a whole where every block counts', async () => {
    const { agent, model } = scriptedAgent([`${block('1')}${block('2')}`, 'Done.'], { parser: fenced() })
    const { usage, steps } = await agent.run('…')
    expect(steps[0]?.executions).toHaveLength(2)
    expect(usage.isPartial).toBe(undefined)
    expect(model.requests.map(({ stop }) => stop)).toEqual([[], []])
  })

  it('is none where the stop sequence was honoured', async () => {
    const parser = xml({ blocks: 'first' })
    const { agent, model } = scriptedAgent([{ text: '<execute>\n1\n', finish: 'stop-sequence' }, 'One.'], { parser })
    const { usage } = await agent.run('…')
    expect(usage).toEqual({ inputTokens: 20, outputTokens: 10 })
    expect(model.requests[1]?.messages[2]?.content).toEqual([{ type: 'text', text: '<execute>\n1\n</execute>' }])
  })
})

it('what the vendor keeps for itself goes back where it came before the end', () => {
  const reasoning = { type: 'reasoning', provider: 'p', model: 'm', opaque: {} } as const
  const text = (words: string) => ({ type: 'text', text: words }) as const
  const message = { role: 'assistant', content: [reasoning, text('ab'), reasoning, text('cd'), reasoning] } as const
  const end = { type: 'end', message, finish: 'length', usage: { inputTokens: 0, outputTokens: 0 } } as const
  expect(untilEnough(end, 3)).toMatchObject({
    finish: 'stop-sequence',
    message: { content: [reasoning, text('ab'), reasoning, text('c')] },
  })
  expect(untilEnough(end, undefined)).toMatchObject({ finish: 'length', message })
})
