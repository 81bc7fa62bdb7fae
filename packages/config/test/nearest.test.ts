import { expect, test } from 'vitest'
import { nearest } from '../src/nearest.ts'

const known = ['wasm', 'local', 'docker', 'timeoutMs', 'memory', 'xml']

test.each([
  ['dokcer', 'docker'],
  ['Docker', 'docker'],
  ['memmory', 'memory'],
  ['timeout', 'timeoutMs'],
  ['xm', 'xml'],
  ['lxm', undefined],
  ['kubernetes', undefined],
  ['', undefined],
])('%s -> %s', (word, expected) => {
  expect(nearest(word, known)).toBe(expected)
})

test('the nearest of several', () => {
  expect(nearest('locale', ['vocal', 'local', 'location'])).toBe('local')
})
