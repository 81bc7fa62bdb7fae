import { z } from 'zod'

// The messages in these schemas are what was expected, as in `expected a text`; of an object with keys that it does not
// know, the message is the list of those that it does.

export const text = (what = 'a text') => z.string({ error: what }).min(1, { error: what })
export const flag = () => z.boolean({ error: 'true or false' })
export const texts = (what: string) => z.record(z.string(), z.string({ error: 'a text' }), { error: what })
export const oneOf = <Word extends string>(...words: readonly [Word, ...Word[]]) =>
  z.enum(words, { error: words.map((word) => JSON.stringify(word)).join(' or ') })

export const count = (what: string) => z.int({ error: what }).positive({ error: what })
export const atLeastZero = (what: string) => z.number({ error: what }).nonnegative({ error: what })
export const amount = (what: string) => z.number({ error: what }).positive({ error: what })

const SIZE = 'a number of bytes, or a size such as "512m"'
export const size = () =>
  z.union([amount(SIZE), z.string({ error: SIZE }).regex(/^\d+(\.\d+)?\s*[kmg]?i?b?$/i, { error: SIZE })], {
    error: SIZE,
  })

/** An object that holds these keys and no others. */
export const object = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.strictObject(shape, {
    error: ({ code }) => (code === 'unrecognized_keys' ? Object.keys(shape).join(' ') : 'an object'),
  })
