import { expect, it } from 'vitest'
import { asJson } from '../src/loop/as-json.ts'

it.each<[name: string, value: unknown, json: unknown]>([
  ['plain values', { a: [1, 'x', true, null], b: undefined }, { a: [1, 'x', true, null] }],
  ['nothing', undefined, null],
  ['a function', () => 1, null],
  ['integers of any size', [1n, 2n ** 64n], [1, '18446744073709551616']],
  ['numbers that are none', [Number.NaN, -Infinity], ['NaN', '-Infinity']],
  ['bytes', [new Uint8Array([1, 2]), Buffer.from([1, 2])], ['AQI=', 'AQI=']],
  ['sets and maps', { a: new Set([1]), b: new Map([['x', 2n]]) }, { a: [1], b: { x: 2 } }],
  ['dates', new Date(0), '1970-01-01T00:00:00.000Z'],
])('%s', (_name, value, json) => expect(asJson(value)).toEqual(json))

it('a value that contains itself has no JSON', () => {
  const value: unknown[] = []
  value.push(value)
  expect(() => asJson(value)).toThrow(TypeError)
})
