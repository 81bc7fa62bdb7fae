import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeValue, encodeValue } from '../src/index.ts'

// Beyond 2^53 an integral number is an int, and comes back as a bigint.
const isExact = (n: number): boolean => !Number.isInteger(n) || Number.isSafeInteger(n)
const roundTrip = (value: unknown): unknown => decodeValue(JSON.parse(JSON.stringify(encodeValue(value))))

describe('values on the wire', () => {
  it('come back as they went', () => {
    const leaf = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.double().filter(isExact),
      fc.boolean(),
      fc.constant(null),
      fc.uint8Array(),
    )
    const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
      tree: fc.oneof(
        { depthSize: 'small' },
        leaf,
        fc.array(tie('tree')),
        fc.dictionary(fc.string(), tie('tree'), { noNullPrototype: true }),
      ),
    }))
    fc.assert(
      fc.property(tree, (value) => {
        expect(roundTrip(value)).toEqual(value)
      }),
    )
  })

  it('keep what JSON cannot say', () => {
    for (const value of [Number.NaN, Infinity, -Infinity, -0, 2n ** 60n, -(10n ** 30n), new Uint8Array([0, 255])]) {
      expect(roundTrip(value)).toEqual(value)
    }
    expect(roundTrip({ $: ['int', '7'] })).toEqual({ $: ['int', '7'] })
    expect(roundTrip(new Map<unknown, unknown>([[1, 'a']]))).toEqual({ 1: 'a' })
    expect(roundTrip(2 ** 60)).toBe(2n ** 60n)
  })

  it('never reach a prototype', () => {
    const value = decodeValue(JSON.parse('{"__proto__": {"polluted": 1}, "constructor": 2}')) as object
    expect(Object.keys(value)).toEqual(['__proto__', 'constructor'])
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  })

  it('type numbers by their schema', () => {
    expect(encodeValue(5, { type: 'number' })).toEqual({ $: ['float', '5'] })
    expect(encodeValue(5, { type: 'integer' })).toBe(5)
    expect(encodeValue(5)).toBe(5)
    expect(encodeValue(null, { type: ['number', 'null'] })).toBeNull()
    expect(encodeValue(5, { anyOf: [{ type: 'number' }, { type: 'null' }] })).toEqual({ $: ['float', '5'] })
    expect(encodeValue([1], { type: 'array', items: { type: 'number' } })).toEqual([{ $: ['float', '1'] }])
  })

  it('are refused where they cannot be carried', () => {
    const loop: unknown[] = []
    loop.push(loop)
    expect(() => encodeValue(loop)).toThrow(/contains itself/)
    expect(() => encodeValue(() => 1)).toThrow(/function/)
    const shared = [1]
    expect(encodeValue([shared, shared])).toEqual([[1], [1]])
  })

  it.each([
    ['unknown tags', { $: ['eval', 'x'] }],
    ['integers that are none', { $: ['int', '1e9'] }],
    ['odd shapes', { $: 7 }],
  ])('from the sandbox with %s are refused', (_what, wire) => {
    expect(() => decodeValue(wire)).toThrow(/cannot be read/)
  })
})
