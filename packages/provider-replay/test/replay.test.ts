import type { CodeActEvent, Message } from '@codeact/spec'
import { describe, expect, test } from 'vitest'
import { replay } from '../src/index.ts'
import { ask, events, observation, reply, said, saw, spoke, started, system, task } from './transcripts.ts'

/** A session of two tasks; the first one takes two replies. */
const session = events(
  started('Add 1 and 2.'),
  spoke('<execute>1 + 2</execute>'),
  saw('3'),
  spoke('It is 3.'),
  { type: 'run-end', stop: 'answer', answer: 'It is 3.', steps: 2 },
  started('And doubled?'),
  spoke('It is 6.'),
)

const first = task('Add 1 and 2.')
const second = task('And doubled?')
const code = reply('<execute>1 + 2</execute>')
const answer = reply('It is 3.')

describe('a recording', () => {
  test('has what the user said meanwhile, and nothing of runs inside the run', async () => {
    const model = replay(
      events(
        { type: 'run-start', id: 'r1', task: 'Add 1 and 2.' },
        { type: 'step-start', id: 's1', parent: 'r1', index: 1 },
        { type: 'run-start', id: 'r2', parent: 'call', task: 'Help.' },
        { type: 'step-start', id: 's2', parent: 'r2', index: 1 },
        { ...spoke('I help.'), id: 'm2', parent: 's2' },
        { ...saw('nested'), id: 'o2', parent: 's2' },
        { type: 'run-end', id: 'r2', parent: 'call', stop: 'answer', answer: '', steps: 1 },
        { ...spoke('<execute>1 + 2</execute>'), id: 'm1', parent: 's1' },
        { ...saw('3'), id: 'o1', parent: 's1' },
        { type: 'user-message', id: 'u1', parent: 'r1', text: 'Be brief.' },
        { ...spoke('It is 3.'), id: 'm3', parent: 's3' },
      ),
    )
    expect(await said(model, first)).toBe('<execute>1 + 2</execute>')
    expect(await said(model, first, code, observation('3'), task('Be brief.'))).toBe('It is 3.')
  })

  test('that was gone on with has what is left of the conversation, and what was said on going on', async () => {
    const whole = [system, first, code, observation('3'), observation('Variables are gone.')]
    const model = replay(
      events(
        { type: 'run-start', task: 'Add 1 and 2.', messages: [system, first] },
        spoke('<execute>1 + 2</execute>'),
        { ...saw('joined'), messages: [observation('3')] },
        spoke('<execute>lost()</execute>'),
        { type: 'run-start', task: 'Add 1 and 2.', messages: whole },
        spoke('It is 3.'),
        { type: 'run-start', task: 'And doubled?', messages: [observation('Note.'), task('And doubled? With files.')] },
        spoke('It is 6.'),
      ),
    )
    expect(await said(model, ...whole.slice(1))).toBe('It is 3.')
    const more = [...whole.slice(1), answer, observation('Note.'), task('And doubled? With files.')]
    expect(await said(model, ...more)).toBe('It is 6.')
    await expect(ask(model, ...whole.slice(1, -1))).rejects.toMatchObject({ code: 'REPLAY_MISMATCH' })
  })

  test('in which steps were undone is without them', async () => {
    const [run, other] = [
      task('And tripled?'),
      { type: 'run-start', task: 'And tripled?', messages: [task('And tripled?')] } as const,
    ]
    const undo = (...messages: Message[]) => {
      const session = { v: 1, task: 'x', messages, cells: [], files: [], begun: [] } as const
      return { type: 'undo', id: 'u', session } as const
    }
    const model = replay(
      events(
        { type: 'run-start', task: 'Add 1 and 2.', messages: [system, first] },
        spoke('<execute>1 + 2</execute>'),
        { ...saw('3'), messages: [observation('3')] },
        spoke('<execute>wrong()</execute>'),
        { ...saw('NameError'), messages: [observation('NameError')] },
        spoke('It is wrong.'),
        undo(system, first, code, observation('3'), reply('<execute>wrong()</execute>'), observation('NameError')),
        undo(system, first, code, observation('3')),
        other,
        spoke('It is 9.'),
      ),
    )
    expect(await said(model, first)).toBe('<execute>1 + 2</execute>')
    expect(await said(model, first, code, observation('3'), run)).toBe('It is 9.')
    await expect(ask(model, first, code, observation('3'))).rejects.toMatchObject({ code: 'REPLAY_MISMATCH' })
  })

  test('is of the last conversation, where it has several; and begins with its beginning', async () => {
    const other = { type: 'run-start', task: 'Hi.', messages: [system, task('Hi.')] } as const
    expect(await said(replay(events(...session, other, spoke('Hello.'))), task('Hi.'))).toBe('Hello.')
    const late = { type: 'run-start', task: 'x', messages: [system, first, answer, second] } as const
    expect(() => replay(events(late, spoke('It is 6.')))).toThrow('goes on with a conversation that is not in it')
  })

  test('goes on behind a summary, which stands for replies', async () => {
    const summary = { ...task('Notes.'), kind: 'summary', replies: 1 } as const
    expect(await said(replay(session), { ...summary, role: 'user', content: [] }, answer, second)).toBe('It is 6.')
  })

  test('is played reply by reply, as the conversation goes on', async () => {
    const model = replay(session)
    expect(await said(model, first)).toBe('<execute>1 + 2</execute>')
    expect(await said(model, first, code, observation('3'))).toBe('It is 3.')
    expect(await said(model, first, code, observation('3'), answer, second)).toBe('It is 6.')
  })

  test('starts over with each conversation, also with several at once', async () => {
    const model = replay(session)
    expect(await said(model, first)).toBe('<execute>1 + 2</execute>')
    expect(await said(model, first)).toBe('<execute>1 + 2</execute>')
    expect(await said(model, first, code, observation('3'))).toBe('It is 3.')
    expect(await said(model, first, code, observation('3'))).toBe('It is 3.')
  })

  test('streams in small pieces, the same each time, and ends with the whole reply', async () => {
    const text = 'One two,\n    three; internationalization.\n'
    const model = replay(
      events(started('x'), {
        type: 'model-end',
        message: { role: 'assistant', content: [{ type: 'text', text }] },
        finish: 'stop-sequence',
        usage: { inputTokens: 7, outputTokens: 5 },
      }),
    )
    const streamed = await ask(model, task('x'))
    expect(streamed).toEqual([
      ...['One ', 'two,\n    ', 'three; ', 'internationa', 'lization.\n'].map((piece) => ({
        type: 'text-delta',
        text: piece,
      })),
      {
        type: 'end',
        message: { role: 'assistant', content: [{ type: 'text', text }] },
        finish: 'stop-sequence',
        usage: { inputTokens: 7, outputTokens: 5 },
      },
    ])
    expect(await ask(model, task('x'))).toEqual(streamed)
  })

  test('streams native tool calls, and keeps reasoning for the whole reply', async () => {
    const message = {
      role: 'assistant' as const,
      content: [
        { type: 'reasoning' as const, provider: 'p', model: 'm', opaque: { signature: 's' } },
        { type: 'tool-call' as const, callId: 'c', name: 'python', json: '{"code": "1 + 2"}' },
      ],
    }
    const model = replay(events(started('x'), { type: 'model-end', message, finish: 'tool-calls' }))
    const streamed = await ask(model, task('x'))
    expect(streamed[0]).toEqual({ type: 'tool-call-start', callId: 'c', name: 'python' })
    expect(streamed.map((event) => (event.type === 'tool-call-delta' ? event.json : '')).join('')).toBe(
      '{"code": "1 + 2"}',
    )
    expect(streamed.at(-2)).toEqual({ type: 'tool-call-end', callId: 'c' })
    expect(streamed.at(-1)).toMatchObject({ type: 'end', message, finish: 'tool-calls' })
  })

  test('may be a whole event log: the other events, and calls that gave no reply, are passed over', async () => {
    const model = replay(
      events(
        started('x'),
        { type: 'step-start', index: 1 },
        { type: 'text-delta', text: 'never' },
        { type: 'model-end', message: { role: 'assistant', content: [] }, finish: 'error' },
        { type: 'model-end', message: { role: 'assistant', content: [] }, finish: 'aborted' },
        spoke('this'),
      ),
    )
    expect(await said(model, task('x'))).toBe('this')
  })

  test('has an id that names it', () => {
    expect(replay(session).id).toBe('replay:events')
  })

  test('that is used up -> REPLAY_EXHAUSTED', async () => {
    const messages = [first, code, observation('3'), answer, second, reply('It is 6.'), task('And now?')]
    await expect(ask(replay(session), ...messages)).rejects.toMatchObject({
      code: 'REPLAY_EXHAUSTED',
      message: expect.stringContaining('3 replies'),
    })
  })
})

describe('pacing', () => {
  test('an abort ends it at once, in the middle of a reply', async () => {
    const controller = new AbortController()
    const stream = replay(session, { delayMs: 60_000 }).stream({ messages: [first], signal: controller.signal })
    const next = expect(stream[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: 'MODEL_ABORTED' })
    controller.abort()
    await next
  })

  test('a paced reply holds the same pieces', async () => {
    expect(await ask(replay(session, { delayMs: 1 }), first)).toEqual(await ask(replay(session), first))
  })
})

describe('what really happened', () => {
  async function mismatch(...messages: Parameters<typeof said>[1][]): Promise<{ message: string; hint: string }> {
    const error = await said(replay(session), ...messages).then(
      () => undefined,
      (reason) => reason,
    )
    expect(error).toMatchObject({ name: 'CodeActError', code: 'REPLAY_MISMATCH' })
    return error
  }

  test('must agree: recording, task, step, both texts are named', async () => {
    const { message, hint } = await mismatch(first, code, observation('4'))
    expect(message).toContain('The recording events does not agree')
    expect(message).toContain('step 1 of the task "Add 1 and 2."')
    expect(message).toMatch(/recorded: 3\n\s+got: {6}4$/)
    expect(hint).not.toBe('')
  })

  test.each(['3.0', '3\n', ' 3', '3\n3', ''])('is compared to the letter: %j is not 3', async (text) => {
    await mismatch(first, code, observation(text))
  })

  test('includes that nothing was told', async () => {
    expect((await mismatch(first, code)).message).toContain('got:      (nothing)')
  })

  test('includes the task', async () => {
    const { message } = await mismatch(task('Add 1 and 3.'))
    expect(message).toContain('of another task')
    expect(message).toMatch(/recorded: Add 1 and 2\.\n\s+got: {6}Add 1 and 3\.$/)
  })

  test('includes the place of a task in the session', async () => {
    expect((await mismatch(first, code, second)).message).toContain('not at the end of its task')
    await mismatch(first, code, observation('3'), answer)
    await mismatch(second)
  })

  test('of a reply with several blocks is compared block by block', async () => {
    const model = replay(events(started('x'), spoke('two blocks'), saw('[block 1]\n1\n[block 2]\n2'), spoke('fine')))
    expect(await said(model, task('x'), reply('two blocks'), observation('1'), observation('2'))).toBe('fine')
    await expect(said(model, task('x'), reply('two blocks'), observation('1'))).rejects.toThrow('does not agree')
    await expect(said(model, task('x'), reply('two blocks'), observation('1'), observation('3'))).rejects.toThrow(
      'does not agree',
    )
  })

  test('may be the result of a native tool call', async () => {
    const model = replay(events(started('x'), spoke('call'), saw('3'), spoke('fine')))
    const result = { role: 'tool', callId: 'c', content: [{ type: 'text', text: '3' }] } as const
    expect(await said(model, task('x'), reply('call'), result)).toBe('fine')
  })

  describe('as a traceback', () => {
    const traceback = (...where: string[]) =>
      ['1', 'Traceback (most recent call last):', ...where, "NameError: name 'a' is not defined", 'Note: 2'].join('\n')
    const recorded = traceback('  Cell 1, line 1', '    a')
    const model = replay(events(started('x'), spoke('code'), saw(recorded), spoke('fine')))
    const after = (text: string) => said(model, task('x'), reply('code'), observation(text))

    test('may place the error in other words', async () => {
      expect(await after(traceback('  File "<cell>", line 1, in <module>', '    a', '    ^'))).toBe('fine')
    })

    test.each([
      ['another error', recorded.replace("'a'", "'b'")],
      ['something else printed before it', recorded.replace('1', '2')],
      ['something else told after it', recorded.replace('Note: 2', 'Note: 3')],
      ['no traceback', "1\nNameError: name 'a' is not defined\nNote: 2"],
    ])('disagrees with %s', async (_name, text) => {
      await expect(after(text)).rejects.toThrow('does not agree')
    })
  })

  test('is cut short where it is long', async () => {
    const { message } = await mismatch(first, code, observation('x'.repeat(5000)))
    expect(message).toContain('[… 3500 characters more]')
  })
})

test('a log that a run really left is a recording', async () => {
  const head = { v: 1, seq: 0, at: 0, run: 'run_1', id: 'run_1' } as const
  const log = [
    { ...head, type: 'run-start', task: 'x', model: 'm', parser: 'xml', executor: 'wasm' },
    {
      ...head,
      type: 'model-end',
      message: { role: 'assistant', content: [{ type: 'text', text: 'hello' }] },
      finish: 'stop',
      usage: { inputTokens: 1, outputTokens: 1 },
    },
  ] satisfies CodeActEvent[]
  expect(await said(replay(log), task('x'))).toBe('hello')
})
