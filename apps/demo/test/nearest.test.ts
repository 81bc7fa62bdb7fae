import { expect, test } from 'vitest'
import { nearest } from '../src/nearest.ts'

const known = ['tasks', 'chat', 'help', 'version']

test.each([
  ['task', 'tasks'],
  ['tsaks', 'tasks'],
  ['CHAT', 'chat'],
  ['versoin', 'version'],
])('%s may be %s', (word, meant) => {
  expect(nearest(word, known)).toBe(meant)
})

test.each(['sing', 'a', '', 'tasty-snacks'])('%j is none of them', (word) => {
  expect(nearest(word, known)).toBeUndefined()
})
