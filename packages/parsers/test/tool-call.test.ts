import type { Action, PromptContext } from '@codeact/spec'
import { describe, expect, test } from 'vitest'
import { toolCall } from '../src/tool-call.ts'
import { named, readCalls, SEVERAL, streamed, TOOLS, type WrittenCall } from './support/calls.ts'
import { reading } from './support/read.ts'

const code = (text: string, more: Partial<Action> = {}): object => {
  return { type: 'code', language: 'python', code: text, closed: true, callId: 'call 0', ...more }
}
const call = (input: object): WrittenCall => ({ json: JSON.stringify(input) })
const written = (json: string, name?: string): WrittenCall => ({ json, ...(name === undefined ? {} : { name }) })

describe('the code in a call', () => {
  test.each<[name: string, json: string, code: string]>([
    ['one line', '{"code":"print(1)"}', 'print(1)'],
    ['white space everywhere', ' {\n\t"code" :\r\n "x" }\n ', 'x'],
    ['escapes', String.raw`{"code":"a\n\t\"\\\/\b\f\r\u0041\u00e9"}`, 'a\n\t"\\/\b\f\rAé'],
    ['a surrogate pair, escaped', String.raw`{"code":"'\ud83d\ude00'"}`, "'😀'"],
    ['a surrogate pair, as it is', `{"code":"'😀'"}`, "'😀'"],
    ['half a pair', String.raw`{"code":"'\ud83d'"}`, "'\ud83d'"],
    ['an escaped name', String.raw`{"c\u006fde":"x"}`, 'x'],
    ['white space around the code is kept', String.raw`{"code":"\n  x\n"}`, '\n  x\n'],
    ['line ends that are not escaped', '{"code":"a\n\tb\r\nc"}', 'a\n\tb\r\nc'],
    ['other members', '{"why":"t\\"}","n":[1,{"a":"]}"}],"code":"x","ok":true}', 'x'],
    ['a comma too many', '{"code":"x",}', 'x'],
    ['a fence and a tag', String.raw`{"code":"'''\n${'```'}\n</execute>'''"}`, "'''\n```\n</execute>'''"],
    ['the bracket that closes it is missing', '{"code":"x"', 'x'],
    ['the language', '{"language":"py","code":"x"}', 'x'],
    ['no language', '{"language":null,"code":"x"}', 'x'],
  ])('%s', (_name, json, expected) => {
    const { actions, events } = readCalls(toolCall(), [{ json }])
    expect(actions).toEqual([code(expected)])
    expect(events.slice(0, 2)).toEqual([
      { type: 'code-start', id: 'block 0', language: 'python' },
      { type: 'code-delta', id: 'block 0', text: expected },
    ])
    expect(events).toHaveLength(3)
  })

  test('is in the language that is named, before it or behind it, or in the first one', () => {
    const read = (json: string) => readCalls(toolCall(), [{ json }], { context: SEVERAL }).events
    const javascript = [{ language: 'javascript' }, { text: 'x' }, { action: { language: 'javascript', closed: true } }]
    expect(read('{"language":"JS","code":"x"}')).toMatchObject(javascript)
    expect(read('{"code":"x","language":" js "}')).toMatchObject(javascript)
    expect(read('{"code":"x"}')).toMatchObject([{ language: 'python' }, {}, { action: { language: 'python' } }])
    expect(read('{"language":"cobol","code":"x"}')).toMatchObject([{}, {}, { action: { language: 'cobol' } }])
  })

  test('is not run in the one language of the sandbox when the model names another', () => {
    const { actions } = readCalls(toolCall(), [{ json: '{"code":"ls","language":"bash"}' }])
    expect(actions).toEqual([code('ls', { language: 'bash' } as Partial<Action>)])
  })

  test('streams as it comes, once its language is certain', () => {
    const shown = (json: string, context?: PromptContext) => {
      const reader = toolCall().start(context)
      reader.feed({ type: 'tool-call-start', callId: 'c', name: 'execute_code' })
      return json.split('|').map((piece) =>
        reader
          .feed({ type: 'tool-call-delta', callId: 'c', json: piece })
          .map((event) => (event.type === 'code-delta' ? event.text : event.type === 'code-start' ? '[' : ']'))
          .join(''),
      )
    }
    expect(shown('{"code":"|a|b|\\|n|\\ud83d|\\ude00|c"|}')).toEqual(['', '[a', 'b', '', '\n', '', '😀', 'c', ''])
    expect(shown('{"code":"| |\\n|a')).toEqual(['', '', '', '[ \na'])
    expect(shown('{"language":"js","code":"|a|b', SEVERAL)).toEqual(['', '[a', 'b'])
    expect(shown('{"code":"|a|b","language":"j|s|"', SEVERAL)).toEqual(['', '', '', '', '[ab'])
  })
})

describe('a call that cannot be read is answered', () => {
  test.each<[name: string, json: string, reason: RegExp]>([
    ['no JSON', 'print(1)', /"p" stands at character 1, where "{" belongs.*Call execute_code again/],
    ['a list', '["x"]', /"\["/],
    ['two objects', '{"code":"a"}{"code":"b"}', /"{" stands at character 13, where nothing more belongs/],
    [
      'an escape that JSON has not',
      String.raw`{"code":"re.findall('\d')"}`,
      /no escape \\d: a backslash is written \\\\/,
    ],
    ['four digits that are none', String.raw`{"code":"\u00g0"}`, /no escape \\u00g/],
    ['quotes that are not escaped', '{"code":"print("hi")"}', /"h" stands at character 17/],
    ['code that is no string', '{"code":["a","b"]}', /"code" must be a string/],
    ['a language that is no string', '{"code":"a","language":1}', /"language" must be a string/],
    ['code twice', '{"code":"a","code":"b"}', /"code" is there twice/],
    ['no code', '{"language":"python"}', /There was no code in the call/],
    ['empty code', '{"code":" \\n"}', /There was no code in the call/],
    ['nothing', '', /There was no code in the call/],
    ['half a language behind the code', '{"code":"ls","language":"ba', /breaks off behind the code/],
  ])('%s', (_name, json, reason) => {
    const { actions } = readCalls(toolCall(), [{ json }])
    expect(actions).toEqual([{ type: 'invalid', callId: 'call 0', text: json, reason: expect.stringMatching(reason) }])
  })

  test('and the code that was shown of it has its end', () => {
    const { events } = readCalls(toolCall(), [{ json: String.raw`{"code":"ab\d"}` }])
    expect(events).toMatchObject([
      { type: 'code-start' },
      { type: 'code-delta', text: 'ab' },
      { type: 'code-end', action: { type: 'invalid' } },
    ])
  })

  test('when it is of a tool that is not there, or that only code may call', () => {
    const { actions } = readCalls(toolCall({ direct: ['add'] }), [written('{}', 'run'), written('{"a":1}', 'send')], {
      context: TOOLS,
    })
    expect(actions).toMatchObject([
      { type: 'invalid', callId: 'call 0', reason: 'There is no tool "run". To run code, call execute_code.' },
      { type: 'invalid', callId: 'call 1', reason: expect.stringContaining('call it from code') },
    ])
  })
})

describe('a call that is cut off', () => {
  test.each<[name: string, json: string, finish: 'length' | 'tool-calls', actions: object[]]>([
    [
      'in the code, for want of tokens',
      '{"code":"x = 1',
      'length',
      [code('x = 1', { closed: false } as Partial<Action>)],
    ],
    [
      'in the code, and the model had ended',
      '{"code":"x = 1',
      'tool-calls',
      [code('x = 1', { closed: false } as Partial<Action>)],
    ],
    ['behind the code, for want of tokens', '{"code":"x"', 'length', [code('x', { closed: false } as Partial<Action>)]],
    [
      'in half a character',
      String.raw`{"code":"x\ud83d`,
      'length',
      [code('x\ud83d', { closed: false } as Partial<Action>)],
    ],
    ['in an escape', '{"code":"x\\', 'length', [code('x', { closed: false } as Partial<Action>)]],
    ['before the code', '{"co', 'length', [{ type: 'invalid', reason: expect.stringContaining('ran out of tokens') }]],
    ['behind its end', '{"code":"x"}', 'length', [code('x')]],
  ])('%s', (_name, json, finish, expected) => {
    for (const ends of ['each', 'all'] as const) {
      expect(readCalls(toolCall(), [{ json }], { finish, ends }).actions).toMatchObject(expected)
    }
  })

  test('is the last one: those before it were not', () => {
    const { actions } = readCalls(toolCall(), [{ json: '{"code":"a"' }, { json: '{"code":"b"' }], { finish: 'length' })
    expect(actions).toMatchObject([
      { code: 'a', closed: true },
      { code: 'b', closed: false },
    ])
  })

  test('is told even where the provider did not say that it ended', () => {
    const [start, delta] = streamed([call({ code: 'a' })])
    if (start === undefined || delta === undefined) throw new Error('no events')
    expect(reading(toolCall().start(), [start, delta], 'tool-calls').actions).toEqual([code('a')])
  })
})

describe('tools that the model calls itself', () => {
  const read = (json: string, finish?: 'length') =>
    readCalls(toolCall({ direct: 'all' }), [written(json, 'add')], { context: TOOLS, ...(finish ? { finish } : {}) })
      .actions

  test('are actions, with their input', () => {
    expect(read('{"a":1}')).toEqual([{ type: 'tool', callId: 'call 0', name: 'add', input: { a: 1 } }])
    expect(read('')).toMatchObject([{ type: 'tool', input: {} }])
  })

  test('are answered when they cannot be read', () => {
    expect(read('{"a":')).toMatchObject([
      { type: 'invalid', callId: 'call 0', reason: expect.stringContaining('Call add') },
    ])
    expect(read('{"a":', 'length')).toMatchObject([{ reason: expect.stringContaining('ran out of tokens') }])
  })

  test('are declared, beside the one that runs code', () => {
    const declared = toolCall({ direct: ['send'] }).tools?.(TOOLS)
    expect(declared).toMatchObject([{ name: 'execute_code' }, { name: 'send', description: 'Does send.' }])
    expect(declared?.[1]?.parameters).toEqual(named('send').parameters.jsonSchema)
    expect(toolCall({ direct: ['send'] }).instructions(TOOLS)).toContain('all that is needed: send.')
  })

  test('must be there, and be named otherwise than the one that runs code', () => {
    const failure = expect.objectContaining({ code: 'PARSER_DIRECT' })
    expect(() => toolCall({ direct: ['sub'] }).instructions(TOOLS)).toThrow(failure)
    const clash = { ...TOOLS, tools: [named('execute_code')] }
    expect(() => toolCall({ direct: 'all' }).tools?.(clash)).toThrow(failure)
    expect(() => toolCall().tools?.(clash)).not.toThrow()
  })
})

test('several calls are as many actions, in order, with the text around them', () => {
  const calls = [call({ code: 'a' }), written('{"a":1}', 'add'), call({ code: 'b' })]
  for (const ends of ['each', 'all'] as const) {
    const reader = toolCall({ direct: 'all' }).start(TOOLS)
    const input = ['First ', { type: 'text-delta', text: '```python\nno\n```' }, ...streamed(calls, { ends })] as const
    const { actions, events } = reading(reader, [...input, { type: 'reasoning-delta', text: 'hm' }], 'tool-calls')
    expect(actions).toMatchObject([{ code: 'a' }, { name: 'add' }, { code: 'b' }])
    expect(actions.map((action) => 'callId' in action && action.callId)).toEqual(['call 0', 'call 1', 'call 2'])
    expect(events[0]).toEqual({ type: 'text', text: 'First ```python\nno\n```' })
  }
})

test('half a million characters, a few at a time: each is looked at once', () => {
  const text = 'return "a\\n" + x\n'.repeat(30_000)
  const { actions } = readCalls(toolCall(), [call({ code: text })], { size: 8 })
  expect(actions).toEqual([code(text)])
})

test('a result goes back to its call, and anything else as the user', () => {
  const image = { type: 'image', mediaType: 'image/png', data: 'AA==' } as const
  const action = { type: 'code', language: 'python', code: '1', closed: true, callId: 'c' } as const
  const text = { type: 'text', text: '1' } as const
  const { reply } = toolCall()
  expect(reply(action, { text: '1', images: [image] })).toEqual({ role: 'tool', callId: 'c', content: [text, image] })
  expect(reply(action, { text: '1', images: [], isError: true })).toEqual({
    role: 'tool',
    callId: 'c',
    content: [text],
    isError: true,
  })
  expect(reply({ ...action, callId: undefined }, { text: '1', images: [] })).toMatchObject({ role: 'user' })
})

test('the tool asks for a language where there is a choice, and for nothing else', () => {
  const schema = (context: PromptContext) => toolCall().tools?.(context)[0]?.parameters
  expect(schema(TOOLS)).toMatchObject({ required: ['code'], additionalProperties: false })
  expect(schema(SEVERAL)).toMatchObject({
    required: ['language', 'code'],
    properties: { language: { enum: ['python', 'javascript', 'bash'] } },
  })
  expect(toolCall().instructions(SEVERAL)).toContain('python, javascript, bash')
})
