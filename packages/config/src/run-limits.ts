import { z } from 'zod'
import { amount, atLeastZero, count, object } from './schema.ts'

const ABOVE_0 = 'a number above 0'
const WHOLE = 'a whole number above 0'
const TOKENS = 'a number of tokens, or { total, input, output, cached }'
const tokens = z.union(
  [
    amount(TOKENS),
    object({
      total: amount(ABOVE_0).optional(),
      input: amount(ABOVE_0).optional(),
      output: amount(ABOVE_0).optional(),
      cached: amount(ABOVE_0).optional(),
    }),
  ],
  { error: TOKENS },
)

/** What a run may take. */
export const runLimits = object({
  steps: count(WHOLE).optional(),
  tokens: tokens.optional(),
  cost: amount('a number of US dollars above 0').optional(),
  wallTimeMs: amount('a number of milliseconds above 0').optional(),
  toolCalls: z.int({ error: 'a whole number' }).nonnegative({ error: 'a whole number' }).optional(),
  repeats: count(WHOLE).optional(),
})

const DOLLARS = 'US dollars per million tokens'

export const prices = z.record(
  z.string(),
  object({
    input: atLeastZero(DOLLARS),
    output: atLeastZero(DOLLARS),
    cachedInput: atLeastZero(DOLLARS).optional(),
    cacheWrite: atLeastZero(DOLLARS).optional(),
  }),
  { error: 'an object of model ids and what they cost' },
)
