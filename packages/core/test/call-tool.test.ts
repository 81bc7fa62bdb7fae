import { doneLine, tool } from '@codeact/core'
import type { CodeActEvent } from '@codeact/spec'
import { describe, expect, it } from 'vitest'
import { agentOf, code, reply, run } from './calls.ts'
import { add, python } from './support.ts'

const divide = tool({
  name: 'divide',
  description: 'Divides.',
  parameters: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } }, required: ['a', 'b'] },
  execute: ({ a, b }) => {
    if (b === 0) throw new RangeError('b must not be 0')
    return { quotient: a / b }
  },
})

describe.skipIf(!python.isMet)(`tools that the model calls itself ${python.reason}`, () => {
  const tools = [add, divide]

  it('run beside code, and answer with JSON', async () => {
    const { told, events, isError } = await run(
      [reply('', [['divide', { a: 1, b: 4 }], code('add(1, 2)'), ['add', { a: 20, b: 22 }]]), 'Done.'],
      { direct: 'all', tools },
    )
    expect(told).toEqual(['{"quotient":0.25}', '3', '42'])
    expect(isError).toEqual([false, false, false])
    const spans = events.filter((event) => event.type === 'tool-start' || event.type === 'tool-end')
    expect(spans.map(({ type, name }) => `${type} ${name}`)).toEqual(
      ['divide', 'add', 'add'].flatMap((name) => [`tool-start ${name}`, `tool-end ${name}`]),
    )
    expect(spans[0]).toMatchObject({
      input: { a: 1, b: 4 },
      parent: events.find(({ type }) => type === 'step-start')?.id,
    })
    expect(spans[1]).toMatchObject({ id: spans[0]?.id, outcome: { ok: true, value: { quotient: 0.25 } } })
    expect(JSON.parse(JSON.stringify(events))).toEqual(events)
  })

  it('fail as data, and the others run', async () => {
    const { told, isError, result } = await run(
      [
        reply('DONE: never', [
          ['divide', { a: 1, b: 0 }],
          ['add', { a: 1, b: 'x' }],
          ['add', { a: 1, b: 2 }],
        ]),
        'Done.',
      ],
      { direct: 'all', tools, stopRules: [doneLine()], limits: { steps: 1 } },
    )
    expect(told).toEqual([
      'RangeError: b must not be 0',
      expect.stringMatching(/^TypeError: add\(\): b: expected integer/),
      '3',
    ])
    expect(isError).toEqual([true, true, false])
    expect(result?.stop).toBe('max-steps')
  })

  it('are only those that were offered', async () => {
    const { told } = await run([reply('', [['add', { a: 1, b: 2 }]]), 'Done.'], { direct: ['divide'], tools })
    expect(told[0]).toContain('"add" is a function that your code can call')
  })

  it('open no sandbox', async () => {
    const { events } = await run([reply('', [['add', { a: 1, b: 2 }]]), 'Three.'], { direct: 'all' })
    expect(events.some(({ type }) => type === 'execution-start')).toBe(false)
  })

  it('are stopped with the run, and are heard to end', async () => {
    const wait = {
      ...add,
      execute: (_: unknown, { signal }: { signal: AbortSignal }) =>
        new Promise((done) => signal.addEventListener('abort', done)),
    }
    const running = agentOf(
      [
        reply('', [
          ['add', { a: 1, b: 2 }],
          ['add', { a: 3, b: 4 }],
        ]),
      ],
      { direct: 'all', tools: [wait] },
    ).run('x')
    const events: CodeActEvent[] = []
    for await (const event of running) {
      events.push(event)
      if (event.type === 'tool-start') running.abort()
    }
    expect(events.filter(({ type }) => type === 'tool-start')).toHaveLength(1)
    expect((await running).stop).toBe('aborted')
    expect(events.find(({ type }) => type === 'tool-end')).toMatchObject({
      outcome: { ok: false, error: { name: 'AbortError' } },
    })
  })

  it('are handed the agent’s context, and the step in place of a cell', async () => {
    const seen: unknown[] = []
    const spy = {
      ...add,
      execute: (_: unknown, { context, executionId }: { context: unknown; executionId: string }) =>
        seen.push([context, executionId]),
    }
    const { events } = await run([reply('', [['add', { a: 1, b: 2 }]]), 'ok'], {
      direct: 'all',
      tools: [spy],
      context: { user: 'ada' },
    })
    expect(seen).toEqual([[{ user: 'ada' }, events.find(({ type }) => type === 'step-start')?.id]])
  })
})
