import { describe, expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import { jsonOf } from '../src/answer/final-answer.ts'
import { Agent, type SchemaSource } from '../src/index.ts'
import { code, eventsOf, python, scriptedAgent, scriptedParts } from './support.ts'

const TOTAL = {
  type: 'object',
  properties: { total: { type: 'integer' }, best: { type: 'string' } },
  required: ['total'],
} as const

describe.skipIf(!python.isMet)(`an answer with a schema ${python.reason}`, () => {
  it('is given by code, and ends the run behind that cell', async () => {
    const reply = `${code('print("hi")\nfinal_answer({"total": 55, "best": "tea"})\nprint("still here")')}${code('print(2)')}`
    const { agent } = scriptedAgent([reply], { answer: TOTAL })
    const run = agent.run('x')
    const result = await run
    expect(result).toMatchObject({ stop: 'answer', value: { total: 55, best: 'tea' } })
    expect(result.answer).toBe('{"total":55,"best":"tea"}')
    expect(result.steps[0]?.executions.map(({ stdout }) => stdout)).toEqual(['hi\nstill here\n'])
    expect((await eventsOf(run)).at(-1)).toMatchObject({ type: 'run-end', value: { total: 55, best: 'tea' } })
  })

  it('is shown to the model as a function, and asked for', async () => {
    const { agent, model } = scriptedAgent(['{"total": 1}'], { answer: TOTAL })
    await agent.run('x')
    const { content } = model.requests[0]?.messages[0] ?? {}
    expect(content).toContain('def final_answer(value: dict):')
    expect(content).toContain(`The value must fit this JSON Schema: ${JSON.stringify(TOTAL)}`)
    expect(content).toContain('call `final_answer` from your code')
  })

  it('that misses it is an exception in the code', async () => {
    const { agent } = scriptedAgent([code('final_answer({"total": "many"})'), code('final_answer({"total": 3})')], {
      answer: TOTAL,
    })
    const { value, steps } = await agent.run('x')
    expect(value).toEqual({ total: 3 })
    expect(steps[0]?.observation?.text).toContain('TypeError: final_answer(): total: expected integer, got string')
  })

  it('does not count where the code failed behind it', async () => {
    const { agent } = scriptedAgent([code('final_answer({"total": 3})\n1 / 0'), code('final_answer({"total": 4})')], {
      answer: TOTAL,
    })
    expect(await agent.run('x')).toMatchObject({ value: { total: 4 }, steps: [{ index: 1 }, { index: 2 }] })
  })

  it('counts in a reply that was cut behind it', async () => {
    const text = `${code('final_answer({"total": 3})')}\nAnd now`
    const { agent } = scriptedAgent([{ text, finish: 'length' }], { answer: TOTAL })
    expect(await agent.run('x')).toMatchObject({ stop: 'answer', value: { total: 3 } })
  })

  it('is of one run of a session, and not of the next', async () => {
    const { agent } = scriptedAgent([code('final_answer({"total": 3})\nrows = [1]'), code('rows'), '{"total": 1}'], {
      answer: TOTAL,
    })
    await using session = await agent.session()
    expect((await session.run('one')).value).toEqual({ total: 3 })
    expect(await session.run('two')).toMatchObject({ value: { total: 1 }, steps: [{}, {}] })
  })
})

describe('an answer in words', () => {
  const ask = async (words: readonly string[], answer: SchemaSource = TOTAL) => {
    const { agent, model } = scriptedAgent(words, { answer })
    return { ...(await agent.run('x')), told: model.lastShown }
  }

  it.each(['{"total": 5}', '```json\n{"total": 5}\n```', '  {"total": 5}\n'])('is read as JSON: %j', async (text) => {
    expect(await ask([text])).toMatchObject({ stop: 'answer', value: { total: 5 }, answer: '{"total":5}' })
  })

  it('goes back to the model with what is wrong about it', async () => {
    const missed = await ask(['{"best": "tea"}', '{"total": 5}'])
    expect(missed).toMatchObject({ value: { total: 5 } })
    expect(missed.told).toMatch(/not taken, because it does not have the form .* is missing total\. Call final_answer/)
    expect(missed.steps[0]?.observation?.text).toBe(missed.told)
    expect((await ask(['It is five.', '{"total": 5}'])).told).toContain('because it is not JSON')
  })

  it('is the value itself where the schema takes text', async () => {
    expect(await ask(['five'], { type: 'string' })).toMatchObject({ value: 'five', answer: 'five' })
    expect(await ask(['"five"'], { type: 'string' })).toMatchObject({ value: 'five' })
  })

  it('is checked by a Standard Schema too, which may make it another value', async () => {
    const typed = new Agent({ ...scriptedParts(['{"on": "2026-01-02"}']), answer: z.object({ on: z.iso.date() }) })
    const { value } = await typed.run('x')
    expectTypeOf(value).toEqualTypeOf<{ on: string } | undefined>()
    expect(value).toEqual({ on: '2026-01-02' })
  })

  it('is typed by a JSON Schema', () => {
    const typed = () => new Agent({ ...scriptedParts([]), answer: TOTAL }).run('x')
    type Value = Awaited<ReturnType<typeof typed>>['value']
    expectTypeOf<NonNullable<Value>['total']>().toEqualTypeOf<number>()
    expectTypeOf<NonNullable<Value>['best']>().toEqualTypeOf<string | undefined>()
  })

  it('is any text without a schema', async () => {
    const { agent } = scriptedAgent(['It is five.'])
    expect(await agent.run('x')).toEqual(expect.not.objectContaining({ value: expect.anything() }))
  })

  it('needs a schema that can be shown', () => {
    const mute = { '~standard': { version: 1, vendor: 'mute', validate: (value: unknown) => ({ value }) } } as const
    expect(() => scriptedAgent([], { answer: mute })).toThrow(/The option answer: its schema library/)
  })

  it('that no rule takes is asked for again', async () => {
    const { agent, model } = scriptedAgent(['I wonder.', 'I wonder.'], { stopRules: [], limits: { steps: 2 } })
    expect((await agent.run('x')).stop).toBe('max-steps')
    expect(model.lastShown).toContain('holds no code, and it does not end the task')
  })
})

it('a value is plain JSON in events', () => {
  expect(jsonOf({ at: new Date(0), big: 2n ** 70n })).toEqual({
    at: '1970-01-01T00:00:00.000Z',
    big: '1180591620717411303424',
  })
  const ring: { self?: unknown } = {}
  ring.self = ring
  expect(jsonOf(ring)).toBe('[object Object]')
})
