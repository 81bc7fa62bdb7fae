import { CodeActError, type Executor, type Message } from '@codeact/spec'
import { describe, expect, it } from 'vitest'
import { stdoutAnswer } from '../src/index.ts'
import { add, code, eventsOf, python, scriptedAgent } from './support.ts'

describe.skipIf(!python.isMet)(`an agent ${python.reason}`, () => {
  it('runs what the model writes, shows it the result, and takes its answer', async () => {
    const { agent, model } = scriptedAgent([`Let me see. ${code('sum(range(1, 11))')}`, 'The sum is 55.'])
    const result = await agent.run('Sum 1 to 10.')
    expect(result).toMatchObject({
      answer: 'The sum is 55.',
      stop: 'answer',
      usage: { inputTokens: 20, outputTokens: 10 },
    })
    expect(result.steps.map(({ executions }) => executions.map(({ value }) => value?.['text/plain']))).toEqual([
      ['55'],
      [],
    ])
    expect(model.lastShown).toBe('55')
  })

  it('keeps memory and variables from task to task in a session', async () => {
    const { agent, model } = scriptedAgent([
      code('def double(n):\n    return 2 * n\ndouble(4)'),
      'Eight.',
      code('double(5)'),
      'Ten.',
    ])
    await using session = await agent.session()
    expect((await session.run('Double 4.')).answer).toBe('Eight.')
    expect((await session.run('And 5?')).answer).toBe('Ten.')
    expect(model.requests.at(-1)?.messages.map(({ role }) => role)).toEqual([
      'system',
      'user',
      'assistant',
      'user',
      'assistant',
      'user',
      'assistant',
      'user',
    ])
  })

  it('starts each run afresh', async () => {
    const { agent, model } = scriptedAgent([code('x = 1'), 'ok', code('x'), 'ok'])
    await agent.run('one')
    await agent.run('two')
    expect(model.lastShown).toContain("NameError: name 'x' is not defined")
    expect(model.requests.at(-1)?.messages).toHaveLength(4)
  })

  it('lets the code call tools', async () => {
    const { agent, model } = scriptedAgent(
      [code('total = 0\nfor n in range(1, 11):\n    total = add(total, n)\ntotal'), '55'],
      { tools: [add] },
    )
    const events = await eventsOf(agent.run('Sum.'))
    expect(model.lastShown).toBe('55')
    expect(events.filter(({ type }) => type === 'tool-end')).toHaveLength(10)
    expect(model.requests[0]?.messages[0]?.content).toContain(
      'def add(a: int, b: int) -> int:\n    """Adds two numbers."""',
    )
  })

  it('hands its context to tools', async () => {
    const seen: unknown[] = []
    const spy = { ...add, execute: (_input: unknown, { context }: { context: unknown }) => seen.push(context) }
    const { agent } = scriptedAgent([code('add(1, 2)'), 'ok'], { tools: [spy], context: { user: 'ada' } })
    await agent.run('x')
    expect(seen).toEqual([{ user: 'ada' }])
  })

  it('sends each request as an extension of the one before', async () => {
    const { agent, model } = scriptedAgent([code('1'), code('1 / 0'), code('print("x")'), 'done'])
    await agent.run('x')
    const sent = model.requests.map(({ messages }) => messages.map((message: Message) => JSON.stringify(message)))
    for (const [index, messages] of sent.entries()) {
      if (index > 0) expect(messages.slice(0, sent[index - 1]?.length)).toEqual(sent[index - 1])
    }
    expect(sent.map((messages) => messages.length)).toEqual([2, 4, 6, 8])
  })

  it('tells the model of errors, time-outs and silence', async () => {
    const hang = 'print("so far")\nwhile True: pass'
    const { agent, model } = scriptedAgent([code('sqrt(4)'), code(hang), code('x = 1'), 'ok'])
    const { steps } = await agent.run('x')
    const told = steps.map(({ observation }) => observation?.text)
    expect(told[0]).toBe(
      "Traceback (most recent call last):\n  Cell 1, line 1\n    sqrt(4)\nNameError: name 'sqrt' is not defined",
    )
    expect(told[1]).toMatch(/^so far\nTraceback[\s\S]*TimeoutError: the time limit of 5 s was exceeded$/)
    expect(told[2]).toBe('(code executed successfully, no output)')
    expect(model.lastShown).toBe(told[2])
  })

  it('tells the model that variables are back after a crash', async () => {
    const { agent } = scriptedAgent([code('x = 41'), code('import os\nx = 0\nos._exit(1)'), code('x + 1'), 'ok'])
    const { steps } = await agent.run('x')
    expect(steps[1]?.observation?.text).toMatch(/exit code 1\nRolled back: .* before this code \(back are x\)\.\n/)
    expect(steps[2]?.observation?.text).toBe('42')
  })

  it('runs several blocks in order, up to the first that fails', async () => {
    const { agent, model } = scriptedAgent([`${code('print(1)')}\n${code('1 / 0')}\n${code('print(3)')}`, 'ok'])
    const { steps } = await agent.run('x')
    expect(steps[0]?.executions.map(({ status }) => status)).toEqual(['ok', 'error'])
    expect(steps[0]?.observation?.text).toMatch(
      /^\[block 1\]\n1\n\[block 2\]\nTraceback[\s\S]*\[block 3\]\nThis block was not run/,
    )
    expect(model.requests[1]?.messages).toHaveLength(6)
  })

  it('does not run code that was cut off by the token limit', async () => {
    const cut = { text: '<execute>\nprint("half")', finish: 'length' } as const
    const { agent, model } = scriptedAgent([cut, code('print("whole")'), 'ok'])
    const { steps } = await agent.run('x')
    expect(steps[0]?.executions).toEqual([])
    expect(steps[0]?.observation?.text).toContain('ran out of tokens inside a code block')
    expect(model.lastShown).toBe('whole')
  })

  it('tells watchers all that it tells the model', async () => {
    const cut = { text: `${code('print(1)')}\n<execute>\nprint("half")`, finish: 'length' } as const
    const { agent, model } = scriptedAgent([cut, 'ok'], { limits: { steps: 2 } })
    const { steps } = await agent.run('x')
    expect(steps[0]?.observation?.text).toMatch(/^\[block 1\]\n1\n\[block 2\]\nYour reply ran out of tokens/)
    expect(model.lastShown).toContain('ran out of tokens')
  })

  it('does not take an answer that was cut off by the token limit', async () => {
    const { agent } = scriptedAgent([{ text: 'The answer is', finish: 'length' }, 'The answer is 4.'])
    expect((await agent.run('x')).answer).toBe('The answer is 4.')
  })

  it('runs an unclosed block when the model had ended, and says so', async () => {
    const { agent } = scriptedAgent(['<execute>\nprint(6 * 7)', 'ok'])
    const { steps } = await agent.run('x')
    expect(steps[0]?.observation?.text).toBe('42\nNote: the code block was not closed; what was there of it was run.')
  })

  it('answers a block in a language that is not spoken here', async () => {
    const { agent, model } = scriptedAgent(['<execute language="bash">\nls\n</execute>', 'ok'])
    const { steps } = await agent.run('x')
    expect(steps[0]?.executions).toEqual([])
    expect(model.lastShown).toBe('This sandbox does not run bash. It runs python.')
  })

  it('asks again after an empty reply', async () => {
    const { agent, model } = scriptedAgent(['', 'four'])
    expect((await agent.run('x')).answer).toBe('four')
    expect(model.lastShown).toContain('Your reply was empty')
  })

  it('ends at its step limit with what it has', async () => {
    const { agent } = scriptedAgent([`First. ${code('1')}`, `Second. ${code('2')}`, 'never'], { limits: { steps: 2 } })
    expect(await agent.run('x')).toMatchObject({ stop: 'max-steps', answer: `Second. ${code('2')}` })
  })

  it('ends on a DONE line, and not while the code of that reply failed', async () => {
    const { agent } = scriptedAgent([`${code('1 / 0')}\nDONE: 1`, `${code('2')}\nDONE: 2`])
    expect(await agent.run('x')).toMatchObject({ stop: 'answer', answer: '2', steps: [{ index: 1 }, { index: 2 }] })
  })

  it('can take what the code printed for the answer', async () => {
    const { agent } = scriptedAgent([code('1 / 0'), code('print("it is", 4)')], { stopRules: [stdoutAnswer()] })
    expect(await agent.run('x')).toMatchObject({ stop: 'answer', answer: 'it is 4' })
  })

  it('says when the model refused', async () => {
    const { agent } = scriptedAgent([{ text: 'I will not.', finish: 'refusal' }])
    expect(await agent.run('x')).toMatchObject({ stop: 'refusal', answer: 'I will not.' })
  })

  it('tells everything as events: no gaps, each start closed once, the outcome at the end', async () => {
    const { agent } = scriptedAgent([`Look: ${code('print("hi")\nadd(1, 2)')}`, 'ok'], { tools: [add] })
    const events = await eventsOf(agent.run('x'))
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index))
    expect(new Set(events.map(({ run }) => run)).size).toBe(1)
    expect(events.map(({ type }) => type).filter((type, index, all) => type !== all[index - 1])).toEqual([
      ...['run-start', 'step-start', 'model-start', 'text-delta', 'code-start', 'code-delta', 'code-end', 'model-end'],
      ...['execution-start', 'stdout-delta', 'tool-start', 'tool-end', 'execution-end', 'observation', 'step-end'],
      ...['step-start', 'model-start', 'text-delta', 'model-end', 'step-end', 'run-end'],
    ])
    const known = new Set(events.map(({ id }) => id))
    for (const { parent } of events) if (parent !== undefined) expect(known).toContain(parent)
    expect(JSON.parse(JSON.stringify(events))).toEqual(events)
  })
})

describe.skipIf(!python.isMet)(`what stops an agent ${python.reason}`, () => {
  const soon = (run: { abort(): void }, ms = 300) => setTimeout(() => run.abort(), ms)

  it('stops a running cell', async () => {
    const { agent } = scriptedAgent([code('import time\ntime.sleep(60)')])
    const run = agent.run('x')
    soon(run, 600)
    const events = await eventsOf(run)
    expect(await run).toMatchObject({ stop: 'aborted' })
    expect(events.find(({ type }) => type === 'execution-end')).toMatchObject({ execution: { status: 'aborted' } })
    expect(events.at(-1)).toMatchObject({ type: 'run-end', stop: 'aborted' })
  })

  it('stops a model that does not come to an end', async () => {
    const { agent } = scriptedAgent([{ text: 'Well, ', hang: true }])
    const run = agent.run('x')
    soon(run)
    expect(await run).toMatchObject({ stop: 'aborted', steps: [] })
    expect((await eventsOf(run)).find(({ type }) => type === 'model-end')).toMatchObject({
      finish: 'aborted',
      message: { content: [{ type: 'text', text: 'Well, ' }] },
    })
  })

  it('stops by a signal that the caller gives', async () => {
    const { agent } = scriptedAgent([{ text: 'Well, ', hang: true }])
    expect(await agent.run('x', { signal: AbortSignal.timeout(200) })).toMatchObject({ stop: 'aborted' })
  })

  it('refuses a second task while one runs, and any after it is closed', async () => {
    const { agent } = scriptedAgent([{ text: 'Well, ', hang: true }])
    const session = await agent.session()
    const run = session.run('x')
    expect(() => session.run('y')).toThrow(expect.objectContaining({ code: 'SESSION_BUSY' }))
    await session.close()
    expect((await run).stop).toBe('aborted')
    expect(() => session.run('z')).toThrow(expect.objectContaining({ code: 'SESSION_CLOSED' }))
  })

  it('fails with what an operator must mend, the log so far, and every start closed', async () => {
    const { agent } = scriptedAgent([code('1'), new CodeActError('MODEL_AUTH', 'wrong key', { hint: 'Set it.' })])
    const run = agent.run('x')
    const error = await run.then(
      () => undefined,
      (reason: unknown) => reason,
    )
    expect(error).toMatchObject({ code: 'MODEL_AUTH', hint: 'Set it.' })
    const log = CodeActError.is(error) ? (error.log ?? []) : []
    const ids = (suffix: string) => log.filter(({ type }) => type.endsWith(suffix)).map(({ id }) => id)
    expect(new Set(ids('-end'))).toEqual(new Set(ids('-start')))
    expect(ids('-end')).toHaveLength(ids('-start').length)
    expect(log.at(-1)).toMatchObject({ type: 'run-end', stop: 'error', steps: 1, error: { code: 'MODEL_AUTH' } })
  })

  it('fails when the sandbox does not open, and not before it is needed', async () => {
    const broken: Executor = {
      name: 'broken',
      languages: ['python'],
      open: () => Promise.reject(new CodeActError('EXECUTOR_UNAVAILABLE', 'no')),
      close: async () => {},
      [Symbol.asyncDispose]: async () => {},
    }
    const { agent } = scriptedAgent(['No code needed: 4.', code('1')], { executor: broken })
    expect((await agent.run('x')).answer).toBe('No code needed: 4.')
    await expect(agent.run('x')).rejects.toMatchObject({ code: 'EXECUTOR_UNAVAILABLE' })
  })

  it.each([0, -1, 1.5])('refuses %d steps', (steps) => {
    expect(() => scriptedAgent([], { limits: { steps } })).toThrow(/limits.steps/)
  })
})
