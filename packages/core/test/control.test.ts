import { CodeActError, type CodeActEvent } from '@codeact/spec'
import { describe, expect, it } from 'vitest'
import { tool } from '../src/index.ts'
import { code, eventsOf, python, scriptedAgent } from './support.ts'

describe.skipIf(!python.isMet)(`approve ${python.reason}`, () => {
  it('sees the code before it runs, and lets it', async () => {
    const seen: unknown[] = []
    const { agent } = scriptedAgent([`Now: ${code('print(1)')}`, 'ok'], {
      approve: (action, { task, step, text, signal }) => {
        seen.push({ code: action.code, task, step, text, isOver: signal.aborted })
        return 'allow'
      },
    })
    const { steps } = await agent.run('Print.')
    expect(seen).toEqual([{ code: 'print(1)', task: 'Print.', step: 1, text: 'Now: ', isOver: false }])
    expect(steps[0]?.executions[0]?.stdout).toBe('1\n')
  })

  it('denies with a reason, which the model is told; nothing behind that runs, and nothing is an answer', async () => {
    const { agent, model } = scriptedAgent([`${code('print(1)')}${code('print(2)')}\nDONE: 2`, 'ok'], {
      approve: ({ code }) => (code === 'print(1)' ? { deny: 'Not on a Sunday.' } : 'allow'),
    })
    const { steps, answer } = await agent.run('x')
    expect(answer).toBe('ok')
    expect(steps[0]?.executions).toEqual([])
    expect(steps[0]?.observation?.text).toBe(
      '[block 1]\nThis block was not run: it was not allowed. Not on a Sunday.\n' +
        '[block 2]\nThis block was not run, because one before it failed or was not run.',
    )
    expect(model.requests[1]?.messages).toHaveLength(5)
  })

  it('denied a block, the one that was cut behind it does not run either', async () => {
    const text = `${code('print(1)')}<execute>\nprint("ha`
    const { agent, model } = scriptedAgent([{ text, finish: 'length' }, 'lf")\n</execute>', 'ok'], {
      approve: ({ code }) => (code === 'print(1)' ? { deny: 'No.' } : 'allow'),
    })
    const { steps } = await agent.run('x')
    expect(steps.flatMap(({ executions }) => executions)).toEqual([])
    expect(JSON.stringify(model.requests[1]?.messages.at(-1)?.content)).toContain('Write it again')
  })

  it('changes the code: the other one runs, and the model is told', async () => {
    const { agent } = scriptedAgent([code('print(1)'), 'ok'], {
      approve: async () => ({ edit: 'print(2)', because: 'One is too few.' }),
    })
    const run = agent.run('x')
    const { steps } = await run
    expect(steps[0]?.observation?.text).toBe(
      '2\nNote: your code was changed before it ran (One is too few.). This is what ran:\nprint(2)',
    )
    const events = await eventsOf(run)
    expect(events.find(({ type }) => type === 'execution-start')).toMatchObject({ code: 'print(2)' })
    const [start, end] = events.filter(({ type }) => type.startsWith('review'))
    expect(start).toMatchObject({ type: 'review-start', by: 'approve', action: { code: 'print(1)' } })
    expect(end).toMatchObject({ type: 'review-end', id: start?.id, verdict: { edit: 'print(2)' } })
  })

  it('that fails ends the run, with every start closed', async () => {
    const { agent } = scriptedAgent([code('1')], {
      approve: () => {
        throw new CodeActError('NOBODY_THERE', 'no')
      },
    })
    const run = agent.run('x')
    await expect(run).rejects.toMatchObject({ code: 'NOBODY_THERE' })
    const events: CodeActEvent[] = []
    await (async () => {
      for await (const event of run) events.push(event)
    })().catch(() => {})
    const ids = (suffix: string) => events.filter(({ type }) => type.endsWith(suffix)).map(({ id }) => id)
    expect(ids('-end').sort()).toEqual(ids('-start').sort())
    expect(events.find(({ type }) => type === 'review-end')).toMatchObject({ error: { code: 'NOBODY_THERE' } })
  })

  it('is not waited for once the run is stopped', async () => {
    const { agent } = scriptedAgent([code('1')], { approve: () => new Promise(() => {}) })
    const run = agent.run('x')
    for await (const { type } of run) if (type === 'review-start') run.abort()
    expect(await run).toMatchObject({ stop: 'aborted', steps: [{ executions: [] }] })
  })
})

describe.skipIf(!python.isMet)(`ask_user ${python.reason}`, () => {
  it('is answered by the handler, whose time is not the cell’s', async () => {
    const asked: string[] = []
    const { local } = await import('@codeact/executor-local')
    const { agent, model } = scriptedAgent([code('print(ask_user("Which?"), input("And?"))'), 'ok'], {
      executor: local({ isolation: 'none', timeoutMs: 500 }),
      onAskUser: async (question) => {
        asked.push(question)
        await new Promise((resolve) => setTimeout(resolve, 700))
        return 'this one'
      },
    })
    await agent.run('x')
    expect(asked).toEqual(['Which?', 'And?'])
    expect(model.lastShown).toBe('this one this one')
    expect(model.requests[0]?.messages[0]?.content).toContain('def ask_user(question: str) -> str:')
  })

  it('is not there without a handler', async () => {
    const { agent, model } = scriptedAgent([code('ask_user("Which?")'), 'ok'])
    await agent.run('x')
    expect(model.lastShown).toContain("NameError: name 'ask_user' is not defined")
  })
})

describe.skipIf(!python.isMet)(`an abort ${python.reason}`, () => {
  it('stops tools, and code that will not be stopped', async () => {
    let signal: AbortSignal | undefined
    const wait = tool({
      name: 'wait',
      description: 'Never ends.',
      parameters: { type: 'object', properties: {} },
      execute: (_input, context) => {
        signal = context.signal
        return new Promise<never>(() => {})
      },
    })
    const stubborn = 'while True:\n    try:\n        wait()\n    except BaseException:\n        pass'
    const { agent } = scriptedAgent([code(stubborn)], { tools: [wait] })
    const run = agent.run('x')
    for await (const { type } of run) if (type === 'tool-start') run.abort()
    const { stop, steps } = await run
    expect(stop).toBe('aborted')
    expect(signal?.aborted).toBe(true)
    expect(steps[0]?.executions[0]?.status).toBe('aborted')
    const events = await eventsOf(run)
    const ids = (wanted: string) => events.flatMap(({ type, id }) => (type === wanted ? [id] : [])).sort()
    expect(ids('tool-end')).toEqual(ids('tool-start'))
  }, 5000)

  it('in the middle of a block tells the block as far as it came', async () => {
    const { agent } = scriptedAgent([{ text: '<execute>\nprint(1)\n', hang: true }])
    const run = agent.run('x')
    for await (const { type } of run) if (type === 'code-delta') run.abort()
    const events = await eventsOf(run)
    expect(events.find(({ type }) => type === 'code-end')).toMatchObject({
      action: { code: 'print(1)', closed: false },
    })
  })

  it('leaves a session that can go on, and a model that knows', async () => {
    const { agent, model } = scriptedAgent([`${code('import time\ntime.sleep(60)')}${code('2')}`, 'ok'])
    await using session = await agent.session()
    const run = session.run('x')
    for await (const { type } of run) if (type === 'execution-start') run.abort()
    expect((await run).stop).toBe('aborted')
    expect((await session.run('Go on.')).answer).toBe('ok')
    const told = model.requests[1]?.messages.map(({ content }) => JSON.stringify(content)) ?? []
    expect(told.at(-3)).toContain('Aborted: the cell was stopped')
    expect(told.at(-2)).toContain('This block was not run')
  })
})

describe.skipIf(!python.isMet)(`a message to a run ${python.reason}`, () => {
  it('is heard before the model speaks next, and an answer does not end the run over it', async () => {
    const { agent, model } = scriptedAgent([code('1'), 'The answer.', 'The better answer.'])
    await using session = await agent.session()
    const run = session.run('x')
    const events: CodeActEvent[] = []
    let steps = 0
    for await (const event of run) {
      events.push(event)
      if (event.type === 'step-start' && ++steps <= 2) session.send(`message ${steps}`)
    }
    expect((await run).answer).toBe('The better answer.')
    const told = model.requests.map(({ messages }) => JSON.stringify(messages.at(-1)?.content))
    expect(told[1]).toContain('message 1')
    expect(told[2]).toContain('message 2')
    expect(events.flatMap((event) => (event.type === 'user-message' ? [event.text] : []))).toEqual([
      'message 1',
      'message 2',
    ])
  })

  it('goes before an answer that code gave: the model sees what the code did', async () => {
    const { agent, model } = scriptedAgent([`${code('print("four")')}\nDONE: 4`, 'five'])
    await using session = await agent.session()
    const run = session.run('x')
    for await (const { type } of run) if (type === 'execution-start') session.send('One more.')
    expect((await run).answer).toBe('five')
    const told = model.requests[1]?.messages.map(({ content }) => JSON.stringify(content)) ?? []
    expect(told.slice(-2)).toEqual([expect.stringContaining('four'), expect.stringContaining('One more.')])
  })

  it('needs a run', async () => {
    const { agent } = scriptedAgent([])
    const session = await agent.session()
    expect(() => session.send('x')).toThrow(expect.objectContaining({ code: 'SESSION_IDLE' }))
    await session.close()
    expect(() => session.send('x')).toThrow(expect.objectContaining({ code: 'SESSION_CLOSED' }))
  })
})

describe.skipIf(!python.isMet)(`a run that goes in circles ${python.reason}`, () => {
  it('is told so, and stopped when it goes on', async () => {
    const same = ['x.y\n', 'x.y', '\n\nx.y  ', 'x.y'].map((text) => code(`print(object())\n${text}`))
    const { agent, model } = scriptedAgent([...same, 'never'])
    const { stop, steps } = await agent.run('x')
    expect(stop).toBe('stuck')
    expect(steps).toHaveLength(4)
    const told = steps.map(({ observation }) => observation?.text.includes('You have done the same several times'))
    expect(told).toEqual([false, false, true, false])
    expect(JSON.stringify(model.requests[3]?.messages.at(-1)?.content)).toContain('You have done the same')
  })

  it('is noticed with other steps in between', async () => {
    const turns = Array.from({ length: 4 }, () => [code('print(1)'), code('print(2)')]).flat()
    const { agent } = scriptedAgent(turns)
    expect(await agent.run('x')).toMatchObject({ stop: 'stuck', steps: { length: 7 } })
  })

  it('is not one whose code gives something else each time', async () => {
    const { agent } = scriptedAgent([code('n = 0'), ...Array.from({ length: 6 }, () => code('n += 1\nn')), 'Six.'])
    expect((await agent.run('x')).answer).toBe('Six.')
  })

  it('may be let go', async () => {
    const { agent } = scriptedAgent([...Array.from({ length: 6 }, () => code('1')), 'ok'], {
      limits: { repeats: Number.POSITIVE_INFINITY },
    })
    expect((await agent.run('x')).answer).toBe('ok')
  })
})
