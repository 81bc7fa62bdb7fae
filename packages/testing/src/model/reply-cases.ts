import type { Finish } from '@codeact/spec'
import { expect } from 'vitest'
import { COUNTS, type Said, type Script } from './dialect.ts'
import { drain, endOf } from './hear.ts'
import { storyOf, storyOfMessage, type Told } from './story.ts'
import type { ModelPromise, Subject } from './subject.ts'
import { slices } from './wire.ts'

const CODE = ['Let me see.\n\n', '<execute>\n', 'x = "größe ✓ 👩‍🔬"\n', 'print(x)\n', '</execute>']
const SUM = { call: 'call_a', name: 'python', json: ['{"code": ', '"1 + 1"}'] }
const LIST = { call: 'call_b', name: 'bash', json: ['{"code":"ls"}'] }

interface Scenario extends Script {
  readonly title: string
  readonly finish: Finish
  readonly promise?: ModelPromise
}

const SCENARIOS: readonly Scenario[] = [
  { title: 'plain text', says: [{ text: ['It ', 'is ', '42.'] }], finish: 'stop' },
  { title: 'code', says: [{ text: CODE }], finish: 'stop' },
  { title: 'two blocks', says: [{ text: [...CODE, '\n\n', ...CODE] }], finish: 'stop' },
  { title: 'reasoning before code', says: [{ reasoning: ['Say it ', 'in code.'] }, { text: CODE }], finish: 'stop' },
  { title: 'a tool call', says: [SUM], finish: 'tool-calls' },
  { title: 'several tool calls, and text before them', says: [{ text: ['So: '] }, SUM, LIST], finish: 'tool-calls' },
  { title: 'a block that the limit cut', says: [{ text: CODE.slice(0, 3) }], end: 'length', finish: 'length' },
  {
    title: 'a tool call that the limit cut',
    says: [{ ...SUM, json: ['{"code": '] }],
    end: 'length',
    finish: 'length',
  },
  { title: 'a reply that was filtered', says: [{ text: ['I '] }], end: 'filtered', finish: 'refusal' },
  {
    title: 'a refusal in words, which are text',
    says: [{ refusal: ['I ', 'cannot.'] }],
    finish: 'refusal',
    promise: 'refusal',
  },
  { title: 'a pause', says: [{ text: ['I search.'] }], end: 'pause', finish: 'pause', promise: 'pause' },
  {
    title: 'a stop sequence that is told',
    says: [{ text: CODE.slice(0, -1) }],
    end: 'stop-sequence',
    finish: 'stop-sequence',
    promise: 'stop.told',
  },
]

/** The same reply comes as the same events, whoever carries it and however it is cut. */
export function replyCases(subject: Subject): void {
  subject.group('a reply', (it) => {
    for (const { title, finish, promise, ...script } of SCENARIOS) {
      it(
        title,
        async () => {
          for (const slice of [slices.whole, slices.sevens]) {
            await using server = await subject.serve(subject.says(script, { slice }))
            const events = await drain(subject.model(server), { stop: ['</execute>'] })
            const end = endOf(events)
            expect(storyOf(events)).toEqual(script.says.map(told))
            expect(storyOfMessage(end.message)).toEqual(script.says.map(told).filter((one) => !('reasoning' in one)))
            expect(end.message.role).toBe('assistant')
            expect(end.finish).toBe(finish)
          }
        },
        { promise },
      )
    }
  })

  subject.group('usage', (it) => {
    const counted = async () => {
      await using server = await subject.serve(subject.says('ok'))
      return endOf(await drain(subject.model(server))).usage
    }

    it('tells input and output, and what of them was cached and reasoning', async () => {
      const usage = await counted()
      expect(usage).toMatchObject({
        inputTokens: COUNTS.input,
        outputTokens: COUNTS.output,
        cachedInputTokens: COUNTS.cached,
        reasoningTokens: COUNTS.reasoning,
      })
      expect(usage.isPartial ?? false).toBe(false)
    })

    it(
      'tells what was written to the cache',
      async () => expect((await counted()).cacheWriteTokens).toBe(COUNTS.written),
      { promise: 'usage.cache-write' },
    )

    it('of a server that counts nothing is zero, and no more is said', async () => {
      await using server = await subject.serve(subject.says({ says: [{ text: ['ok'] }], isCounted: false }))
      expect(endOf(await drain(subject.model(server))).usage).toEqual({ inputTokens: 0, outputTokens: 0 })
    })
  })
}

function told(said: Said): Told {
  if ('reasoning' in said) return { reasoning: said.reasoning.join('') }
  if ('text' in said) return { text: said.text.join('') }
  if ('refusal' in said) return { text: said.refusal.join('') }
  return { ...said, json: said.json.join('') }
}
