import { CodeActError, type CodeActEvent } from '@codeact/spec'
import { describe, expect, it } from 'vitest'
import { Agent } from '../src/index.ts'
import { code, eventsOf, python, scriptedAgent, scriptedParts } from './support.ts'

/** What is said of nesting: each event's parent is known, and each start is closed once. */
function expectWhole(events: readonly CodeActEvent[]): void {
  const known = new Set(events.map(({ id }) => id))
  for (const { parent } of events) if (parent !== undefined) expect(known).toContain(parent)
  const ids = (suffix: string) => events.filter(({ type }) => type.endsWith(suffix)).map(({ id }) => id)
  expect(ids('-end').sort()).toEqual(ids('-start').sort())
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index))
}

describe.skipIf(!python.isMet)(`an agent as a tool ${python.reason}`, () => {
  it('works on a task of its own, in its own sandbox, seen inside the call', async () => {
    const inner = scriptedAgent([code('secret = 6\nsecret * 7'), '42'])
    const helper = inner.agent.asTool({ name: 'helper', description: 'Helps.' })
    const outer = scriptedAgent([code('print(helper("Six times seven."))\nprint("secret" in globals())'), 'ok'], {
      tools: [helper],
    })
    const run = outer.agent.run('Multiply.')
    const result = await run
    expect(outer.model.lastShown).toBe('42\nFalse')
    const events = await eventsOf(run)
    expectWhole(events)
    const starts = events.filter((event) => event.type === 'run-start')
    expect(starts.map(({ task }) => task)).toEqual(['Multiply.', 'Six times seven.'])
    expect(events.find(({ type }) => type === 'tool-start')?.id).toBe(starts[1]?.parent)
    expect(result.usage).toEqual({ inputTokens: 20, outputTokens: 10 })
    expect(result.nested).toEqual([
      { id: starts[1]?.id, stop: 'answer', steps: 2, usage: { inputTokens: 20, outputTokens: 10 } },
    ])
    expect(result.steps).toHaveLength(2)
  })

  it('gives its value, where its answer has a schema', async () => {
    const answer = { type: 'array', items: { type: 'integer' } } as const
    const counter = new Agent({ ...scriptedParts([code('final_answer([1, 2, 3])')]), answer })
    const count = counter.asTool({ name: 'count', description: 'Counts.' })
    const { agent, model } = scriptedAgent([code('sum(count("To three."))'), 'ok'], { tools: [count] })
    await agent.run('x')
    expect(model.lastShown).toBe('6')
    expect(model.requests[0]?.messages[0]?.content).toContain('def count(task: str) -> list[int]:')
  })

  it('that comes to no answer is an exception, which says why', async () => {
    const lazy = scriptedAgent([code('1'), code('2')], { limits: { steps: 1 } }).agent
    const helper = lazy.asTool({ name: 'helper', description: 'Helps.' })
    const { agent, model } = scriptedAgent([code('helper("x")'), 'ok'], { tools: [helper] })
    await agent.run('x')
    expect(model.lastShown).toContain('Unanswered: helper ended without an answer (max-steps)')
  })

  it('stops with the run around it', async () => {
    const helper = scriptedAgent([{ text: 'Well, ', hang: true }]).agent.asTool({
      name: 'helper',
      description: 'Helps.',
    })
    const { agent } = scriptedAgent([code('helper("x")')], { tools: [helper] })
    const run = agent.run('x')
    for await (const { type } of run) if (type === 'text-delta') run.abort()
    expect(await run).toMatchObject({ stop: 'aborted', nested: [{ stop: 'aborted' }] })
    expectWhole(await eventsOf(run))
  }, 5000)

  it('may take longer than a cell: the clock stands still', async () => {
    const { local } = await import('@codeact/executor-local')
    const inner = scriptedAgent([code('import time\ntime.sleep(0.8)'), 'ok']).agent
    const tools = [inner.asTool({ name: 'helper', description: 'Helps.' })]
    const executor = local({ isolation: 'none', timeoutMs: 500 })
    const { agent, model } = scriptedAgent([code('helper("x")'), 'ok'], { tools, executor })
    await agent.run('x')
    expect(model.lastShown).toBe("'ok'")
  })
})

describe.skipIf(!python.isMet)(`a reviewer ${python.reason}`, () => {
  it('that is an agent reads code before it runs, and sends it back with remarks', async () => {
    const critic = scriptedAgent(['Use sum(), not a loop.'])
    const happy = scriptedAgent(['ALLOW'])
    let reviews = 0
    const reviewer = {
      run: (...args: Parameters<typeof critic.agent.run>) => (++reviews === 1 ? critic : happy).agent.run(...args),
    }
    const { agent } = scriptedAgent([code('n = 1 + 2'), code('sum([1, 2])'), 'Three.'], { reviewer })
    const run = agent.run('Add 1 and 2.')
    const { steps, nested, answer } = await run
    expect(answer).toBe('Three.')
    expect(steps[0]?.executions).toEqual([])
    expect(steps[0]?.observation?.text).toContain('it was not allowed. Use sum(), not a loop.')
    expect(steps[1]?.executions[0]?.value?.['text/plain']).toBe('3')
    expect(nested.map(({ stop, usage }) => [stop, usage.inputTokens])).toEqual([
      ['answer', 10],
      ['answer', 10],
    ])
    const asked = JSON.stringify(critic.model.requests[0]?.messages.at(-1)?.content)
    expect(asked).toContain('Another agent works on this task: Add 1 and 2.')
    expect(asked).toContain('```python\\nn = 1 + 2\\n```')
    const events = await eventsOf(run)
    expectWhole(events)
    const review = events.find(({ type }) => type === 'review-start')
    expect(events.find(({ type, parent }) => type === 'run-start' && parent === review?.id)).toBeDefined()
  })

  it('that comes to no verdict allows nothing', async () => {
    const reviewer = scriptedAgent([{ text: 'No.', finish: 'refusal' }]).agent
    const { agent } = scriptedAgent([code('1'), 'ok'], { reviewer })
    const { steps } = await agent.run('x')
    expect(steps[0]?.observation?.text).toContain('The reviewer came to no verdict (refusal).')
  })

  it('that cannot be asked fails the run', async () => {
    const reviewer = scriptedAgent([new CodeActError('MODEL_AUTH', 'wrong key')]).agent
    const { agent } = scriptedAgent([code('1'), 'ok'], { reviewer })
    await expect(agent.run('x')).rejects.toMatchObject({ code: 'MODEL_AUTH' })
  })

  it('that is a function may change the code, and comes before approve', async () => {
    const seen: string[] = []
    const { agent, model } = scriptedAgent([code('x = 1'), 'ok'], {
      reviewer: ({ code }) => ({ edit: `${code}\nx + 1` }),
      approve: ({ code }) => {
        seen.push(code)
        return 'allow'
      },
    })
    await agent.run('x')
    expect(seen).toEqual(['x = 1\nx + 1'])
    expect(model.lastShown).toBe('2\nNote: your code was changed before it ran. This is what ran:\nx = 1\nx + 1')
  })
})
