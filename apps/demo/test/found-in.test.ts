import { expect, test } from 'vitest'
import { foundIn } from '../src/play/found-in.ts'

test.each([
  ['It is 55.', ['55']],
  ['It is 55.0', ['55']],
  ['It is 10,945, they say', ['10945']],
  ['1,234,567.891', ['1234567.89']],
  ['63.333333333333336', ['63.33']],
  ['a deviation of 12.3153', ['12.32']],
  ['$455 for Widget A', ['455.00', 'Widget A']],
  ['-3 degrees', ['-3']],
])('%s says %j', (text, expected) => {
  expect(foundIn(text, expected)).toEqual(expected)
})

test.each([
  ['It is 555.', ['55']],
  ['It is 5.5', ['55']],
  ['It is 54.6', ['55.0']],
  ['12.31', ['12.32']],
  ['fifty-five', ['55']],
  ['widget a', ['Widget A']],
  ['', ['0']],
])('%s does not say %j', (text, expected) => {
  expect(foundIn(text, expected)).toEqual([])
})
