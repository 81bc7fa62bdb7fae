import { expect, test } from 'vitest'
import { scripted } from '../src/index.ts'
import { ask, observation, reply, said, task } from './transcripts.ts'

test('answers in order, whatever it is told, and anew in each conversation', async () => {
  const model = scripted(['one', 'two'])
  expect(await said(model, task('x'))).toBe('one')
  expect(await said(model, task('x'), reply('something else'), observation('?'))).toBe('two')
  expect(await said(model, task('y'))).toBe('one')
})

test('a reply may say how it ended, what it cost, and be of any parts', async () => {
  const message = { role: 'assistant', content: [{ type: 'tool-call', callId: 'c', name: 'f', json: '{}' }] } as const
  const usage = { inputTokens: 3, outputTokens: 4 }
  const model = scripted([
    { message: 'cut', finish: 'length', usage },
    { message, finish: 'tool-calls' },
  ])
  expect((await ask(model, task('x'))).at(-1)).toEqual({
    type: 'end',
    message: { role: 'assistant', content: [{ type: 'text', text: 'cut' }] },
    finish: 'length',
    usage,
  })
  expect((await ask(model, task('x'), reply('cut'))).at(-1)).toMatchObject({ message, finish: 'tool-calls' })
})

test('one reply too many -> REPLAY_EXHAUSTED', async () => {
  await expect(ask(scripted(['one']), task('x'), reply('one'))).rejects.toMatchObject({ code: 'REPLAY_EXHAUSTED' })
})
