import type { Action, ActionEvent } from '@codeact/spec'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { corpus, parserOf } from './support/corpus.ts'
import { cut, read } from './support/read.ts'

const textOf = (events: readonly ActionEvent[]) =>
  events.map((event) => (event.type === 'text' ? event.text : '')).join('')
const withoutWords = (action: Action): object => (action.type === 'invalid' ? { type: 'invalid' } : action)

test('the corpus has each case once, with a word on where it was seen', () => {
  expect(corpus.length).toBeGreaterThanOrEqual(200)
  expect(new Set(corpus.map(({ id }) => id)).size).toBe(corpus.length)
  const inputs = corpus.map(({ parser, options, input, finish }) => JSON.stringify([parser, options, input, finish]))
  expect(new Set(inputs).size).toBe(corpus.length)
  for (const { seen } of corpus) expect(seen).toMatch(/\w/)
})

test.each(corpus.map((one) => [one.id, one] as const))('%s', (_id, one) => {
  const { input, finish, actions, text, missing = '' } = one
  const parser = parserOf(one)
  const whole = read(parser, [input], finish)
  expect(whole.actions.map(withoutWords)).toEqual(actions)
  expect(textOf(whole.events)).toBe(text)
  expect(whole.missing).toBe(missing)

  const same = { events: whole.events, missing }
  expect(read(parser, input.split(''), finish)).toMatchObject(same)
  const anyCut = fc.array(fc.nat(), { maxLength: 6 })
  const reads = fc.property(anyCut, (places) => {
    expect(read(parser, cut(input, places), finish)).toMatchObject(same)
  })
  fc.assert(reads, { numRuns: 20, seed: 1 })
})
