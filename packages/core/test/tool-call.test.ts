import { toolCall, xml } from '@codeact/parsers'
import { replay } from '@codeact/provider-replay'
import type { CodeActEvent } from '@codeact/spec'
import { describe, expect, it } from 'vitest'
import { agentOf, type Call, checkAnswered, code, reply, run } from './calls.ts'
import { python } from './support.ts'

describe.skipIf(!python.isMet)(`code in native tool calls ${python.reason}`, () => {
  it('runs, and its result answers the call', async () => {
    const { result, told, events } = await run([
      reply('Let me see.', [code('total = add(20, 22)\nprint("hi")\ntotal')]),
      reply('', [code('total + 1')]),
      'It is 43.',
    ])
    expect(result).toMatchObject({ stop: 'answer', answer: 'It is 43.' })
    expect(told).toEqual(['hi\n42', '43'])
    const start = events.find(({ type }) => type === 'run-start')
    expect(start).toMatchObject({ parser: 'tool-call' })
    const deltas = events.flatMap((event) => (event.type === 'code-delta' ? event.text : []))
    expect(deltas.join('')).toBe('total = add(20, 22)\nprint("hi")\ntotaltotal + 1')
  })

  it('fails as data: the call is told, and that it failed', async () => {
    const { told, isError } = await run([reply('', [code('1 / 0')]), 'I see.'])
    expect(told[0]).toContain('ZeroDivisionError')
    expect(isError).toEqual([true])
  })

  it('is not run behind code that failed, and each call is answered', async () => {
    const { told, isError, events } = await run(
      [reply('', [code('1'), code('1 / 0'), code('3'), ['add', { a: 1, b: 2 }]]), 'I see.'],
      { direct: 'all' },
    )
    expect(told).toEqual([
      '1',
      expect.stringContaining('ZeroDivisionError'),
      ...Array(2).fill(expect.stringContaining('not run')),
    ])
    expect(isError).toEqual([false, true, true, true])
    expect(events.filter(({ type }) => type === 'tool-start')).toEqual([])
  })

  it('that cannot be read is answered with what to do', async () => {
    const broken: Call = ['execute_code', '{"code":"re.findall(\'\\d\')"}']
    const { told, isError } = await run([reply('', [broken, ['python', { code: '1' }], code('2')]), 'Two.'])
    expect(told).toEqual([
      expect.stringContaining('no escape \\d'),
      expect.stringContaining('There is no tool "python"'),
      '2',
    ])
    expect(isError).toEqual([true, true, false])
  })

  it('that the tokens ran out in is not run, and the call is told so', async () => {
    const { told, events, result } = await run([
      reply('', [code('a = 1'), ['execute_code', '{"code":"print(a']], 'length'),
      reply('', [['execute_code', '{"co']], 'length'),
      reply('', [code('print(a)')]),
      'One.',
    ])
    expect(told).toEqual([
      '(code executed successfully, no output)',
      expect.stringContaining('its code was not run. Write it again'),
      expect.stringContaining('ran out of tokens inside this call'),
      '1',
    ])
    expect(events.filter(({ type }) => type === 'execution-start')).toHaveLength(2)
    expect(result?.answer).toBe('One.')
  })

  it('is answered in a reply that ends the run, too, so that the session can go on', async () => {
    const { results, told } = await run(
      [
        reply('DONE: 2', [code('1 + 1')]),
        reply('I will not.', [['execute_code', '{"code":"x = 1']], 'refusal'),
        'Three.',
      ],
      {},
      ['one', 'two', 'three'],
    )
    expect(results.map(({ stop, answer }) => [stop, answer])).toEqual([
      ['answer', '2'],
      ['refusal', 'I will not.'],
      ['answer', 'Three.'],
    ])
    expect(told).toEqual(['2', expect.stringContaining('cut off inside this call')])
    expect(results[0]?.steps[0]?.observation?.text).toBe('2')
  })

  it('is answered when the run was stopped before it ended', async () => {
    await using session = await agentOf([
      reply('', [code('import time\ntime.sleep(60)'), code('2')]),
      'Stopped.',
    ]).session()
    const running = session.run('one')
    for await (const event of running) if (event.type === 'execution-start') running.abort()
    expect((await running).stop).toBe('aborted')
    expect((await session.run('two')).answer).toBe('Stopped.')
    checkAnswered(session.messages)
    expect(session.messages.map(({ role }) => role)).toEqual([
      'system',
      'user',
      'assistant',
      'tool',
      'tool',
      'user',
      'assistant',
    ])
  })

  it('is answered when the model calls what no parser reads', async () => {
    const { told } = await run([reply('Hm.', [code('1')]), 'Done.'], { parser: xml() }, ['one', 'two'])
    expect(told).toEqual(['There is no result: the run ended before this call did.'])
  })
})

it.skipIf(!python.isMet)('a session with calls can be played again from its events', async () => {
  const replies = [
    reply('', [code('x = 1\nx'), ['what', {}]]),
    reply('DONE: 2', [code('x + 1')]),
    reply('No.', [['execute_code', '{"code":"x']], 'refusal'),
    'Bye.',
  ]
  const first = await run(replies, {}, ['one', 'two', 'three'])
  const recorded = JSON.parse(JSON.stringify(first.events)) as CodeActEvent[]
  const again = await run([], { model: replay(recorded) }, ['one', 'two', 'three'])
  expect(again.results.map(({ answer }) => answer)).toEqual(['2', 'No.', 'Bye.'])
  expect(again.messages).toEqual(first.messages)
})

it('a parser that is picked is told of the model', async () => {
  const seen = new Set<string>()
  const agent = agentOf(['Hi.'], {
    parser: ({ model, languages }) => {
      seen.add(`${model}: ${languages.join()}`)
      return toolCall()
    },
  })
  const events: CodeActEvent[] = []
  for await (const event of agent.run('x')) events.push(event)
  expect([...seen]).toEqual(['scripted: python'])
  expect(events[0]).toMatchObject({ type: 'run-start', parser: 'tool-call' })
})
