import { describe, expect, it } from 'vitest'
import { costOf, findPrice, type Limits } from '../src/index.ts'
import { add, code, eventsOf, python, scriptedAgent } from './support.ts'

/** Each reply of the script counts 10 tokens of input and 5 of output. */
const work = [code('add(1, 2)'), code('add(3, 4)'), code('add(5, 6)'), 'Eleven.']
const limited = (limits: Limits) => scriptedAgent(work, { tools: [add], limits, prices: { 'test:scripted': PRICE } })
const PRICE = { input: 1e5, output: 2e5 }

describe.skipIf(!python.isMet)(`limits ${python.reason}`, () => {
  it.each<[Limits, string, object]>([
    [{ steps: 2 }, 'max-steps', { name: 'steps', allowed: 2, used: 2 }],
    [{ tokens: 30 }, 'budget', { name: 'tokens', allowed: 30, used: 30 }],
    [{ tokens: { output: 8 } }, 'budget', { name: 'tokens.output', allowed: 8, used: 10 }],
    [{ tokens: { input: 11, output: 500 } }, 'budget', { name: 'tokens.input', allowed: 11, used: 20 }],
    [{ cost: 3 }, 'budget', { name: 'cost', allowed: 3, used: 4 }],
    [{ toolCalls: 1 }, 'budget', { name: 'toolCalls', allowed: 1, used: 2 }],
  ])('%j ends the run after its second step, and says why', async (limits, stop, limit) => {
    const run = limited(limits).agent.run('x')
    expect(await run).toMatchObject({ stop, limit, steps: [{ index: 1 }, { index: 2 }] })
    expect((await run).answer).toBe(work[1])
    expect((await eventsOf(run)).at(-1)).toMatchObject({ type: 'run-end', stop, limit })
  })

  it('do not matter to a run that comes to its answer', async () => {
    const limits = { steps: 4, tokens: 60, cost: 8, toolCalls: 3, wallTimeMs: 60_000 }
    const result = await limited(limits).agent.run('x')
    expect(result).toMatchObject({ stop: 'answer', answer: 'Eleven.' })
    expect(result.limit).toBeUndefined()
  })

  it('are of one run: the session goes on', async () => {
    const { agent } = limited({ steps: 2 })
    await using session = await agent.session()
    expect((await session.run('x')).stop).toBe('max-steps')
    expect(await session.run('Go on.')).toMatchObject({ stop: 'answer', answer: 'Eleven.' })
  })

  it('of tool calls fail in the code, which can do without', async () => {
    const several = code(
      'for n in range(3):\n    try:\n        print(add(n, n))\n    except Exception as e:\n        print(e)',
    )
    const { agent } = scriptedAgent([several, 'never'], { tools: [add], limits: { toolCalls: 2 } })
    const { steps, stop } = await agent.run('x')
    expect(steps[0]?.executions[0]?.stdout).toMatch(/^0\n2\n.*add was not called: no more than 2 tool calls/)
    expect(stop).toBe('budget')
  })

  it('of tool calls leave room for the answer', async () => {
    const both = code('add(1, 2)\nfinal_answer(3)')
    const { agent } = scriptedAgent([both], { tools: [add], limits: { toolCalls: 1 }, answer: { type: 'integer' } })
    expect(await agent.run('x')).toMatchObject({ stop: 'answer', value: 3 })
  })

  it('of time interrupt the code, and the session goes on from there', async () => {
    const { agent, model } = scriptedAgent(
      [code('x = 1\nimport time\nprint("so far")\ntime.sleep(60)'), 'It was slow.'],
      {
        limits: { wallTimeMs: 700 },
      },
    )
    await using session = await agent.session()
    const { stop, limit, steps, usage } = await session.run('x')
    expect({ stop, limit }).toMatchObject({ stop: 'budget', limit: { name: 'wallTimeMs', allowed: 700 } })
    expect(steps[0]?.executions[0]).toMatchObject({ status: 'aborted', stdout: 'so far\n' })
    expect(usage).toEqual({ inputTokens: 10, outputTokens: 5 })
    expect((await session.run('And?')).answer).toBe('It was slow.')
    const told = model.requests.at(-1)?.messages.map(({ content }) => JSON.stringify(content)) ?? []
    expect(told.at(-2)).toContain('Aborted: the cell was stopped')
  })

  it('of time interrupt the model', async () => {
    const { agent } = scriptedAgent([{ text: 'Well, ', hang: true }], { limits: { wallTimeMs: 100 } })
    expect(await agent.run('x')).toMatchObject({ stop: 'budget', limit: { name: 'wallTimeMs' }, steps: [] })
  })

  it('leave an abort what it is', async () => {
    const { agent } = scriptedAgent([{ text: 'Well, ', hang: true }], { limits: { wallTimeMs: 60_000 } })
    const run = agent.run('x')
    setTimeout(() => run.abort(), 50)
    expect(await run).toMatchObject({ stop: 'aborted' })
  })
})

describe('limits that make no sense', () => {
  it.each<[Limits, RegExp]>([
    [{ tokens: 0 }, /limits.tokens.total must be a number above 0/],
    [{ tokens: { input: -1 } }, /limits.tokens.input/],
    [{ cost: Number.NaN }, /limits.cost must be a number above 0/],
    [{ wallTimeMs: -5 }, /limits.wallTimeMs/],
    [{ toolCalls: 1.5 }, /limits.toolCalls must be a whole number of at least 0/],
    [{ repeats: 0 }, /limits.repeats/],
  ])('%j is refused', (limits, message) => {
    expect(() => scriptedAgent([], { limits })).toThrow(expect.objectContaining({ code: 'OPTION_INVALID' }))
    expect(() => scriptedAgent([], { limits })).toThrow(message)
  })

  it('a cost is refused where nobody knows what the model costs', () => {
    const make = () => scriptedAgent([], { limits: { cost: 1 } })
    expect(make).toThrow(
      expect.objectContaining({ code: 'PRICE_UNKNOWN', hint: expect.stringContaining('test:scripted') }),
    )
  })
})

describe('what a model costs', () => {
  it('is known by its name, with or without the day behind it, and never guessed', () => {
    const price = findPrice('openai:gpt-5', {})
    expect(price).toMatchObject({ input: expect.any(Number), output: expect.any(Number) })
    expect(findPrice('openai:gpt-5-2025-08-07', {})).toBe(price)
    expect(findPrice('openai:gpt-5-strange', {})).toBeUndefined()
    expect(findPrice('openai:gpt-5', { 'openai:gpt-5': PRICE })).toBe(PRICE)
  })

  it('counts what was cached at its own price', () => {
    const price = { input: 10, output: 100, cachedInput: 1, cacheWrite: 12 }
    const usage = { inputTokens: 1e6, outputTokens: 1e5, cachedInputTokens: 4e5, cacheWriteTokens: 1e5 }
    expect(costOf(usage, price)).toBeCloseTo(5 + 0.4 + 1.2 + 10)
    expect(costOf({ inputTokens: 1e6, outputTokens: 0, cachedInputTokens: 1e6 }, { input: 3, output: 1 })).toBe(3)
  })
})
