import { CodeActError, type LanguageModel } from '@codeact/spec'
import { findPrice, type Price, type Prices } from './prices.ts'

/** What one run may take. At a limit the run ends with what it has, and its session can go on with another one. */
export interface Limits {
  /** Turns. Default 20. */
  readonly steps?: number
  /** Tokens of the run's own model calls, input and output together, or each count by itself. */
  readonly tokens?: number | TokenLimits
  /** US dollars for the run's own model calls, by `prices`. */
  readonly cost?: number
  /** Milliseconds from the start of the run, whatever it waits for. It interrupts the model and the code. */
  readonly wallTimeMs?: number
  /** Calls of tools from code, `final_answer` left out. One more fails in the code, and the run ends after that step. */
  readonly toolCalls?: number
  /** How often the same code may give the same before the model is told; the next time ends the run. Default 3. */
  readonly repeats?: number
}

export interface TokenLimits {
  readonly total?: number
  readonly input?: number
  readonly output?: number
  /** Of the input, what was read from a prompt cache. */
  readonly cached?: number
}

/** Limits that make sense, each token count by its name, and what the model costs where that is limited. */
export interface CheckedLimits {
  readonly steps: number
  readonly repeats: number
  readonly tokens: TokenLimits
  readonly cost: number
  readonly wallTimeMs: number
  readonly toolCalls: number
  /** By the id of each model whose calls are counted; empty where the cost is not limited. */
  readonly prices: Prices
}

const DEFAULT_STEPS = 20
const DEFAULT_REPEATS = 3

/**
 * @param models those whose calls count
 * @throws CodeActError `OPTION_INVALID` for a limit that is none, `PRICE_UNKNOWN` for a cost that cannot be counted
 */
export function checkLimits(limits: Limits, models: readonly LanguageModel[], prices: Prices): CheckedLimits {
  const { steps = DEFAULT_STEPS, repeats = DEFAULT_REPEATS, tokens = {}, ...rest } = limits
  const { cost = Infinity, wallTimeMs = Infinity, toolCalls = Infinity } = rest
  const counts = typeof tokens === 'number' ? { total: tokens } : tokens
  for (const [name, value] of Object.entries({ steps, repeats })) checkCount(name, value)
  if (toolCalls !== Infinity && !(Number.isInteger(toolCalls) && toolCalls >= 0)) throw invalid('toolCalls', toolCalls)
  const amounts = { cost, wallTimeMs, ...prefixed(counts) }
  for (const [name, value] of Object.entries(amounts)) if (!(value > 0)) throw invalid(name, value)
  const known = cost === Infinity ? {} : Object.fromEntries(models.map(({ id }) => [id, priceOf(id, prices)]))
  return { steps, repeats, tokens: counts, cost, wallTimeMs, toolCalls, prices: known }
}

function checkCount(name: string, value: number): void {
  if (value !== Infinity && !(Number.isInteger(value) && value >= 1)) throw invalid(name, value)
}

function prefixed(counts: TokenLimits): Record<string, number> {
  return Object.fromEntries(Object.entries(counts).map(([name, value]) => [`tokens.${name}`, value ?? Infinity]))
}

function invalid(name: string, value: unknown): CodeActError {
  const what = ['steps', 'repeats', 'toolCalls'].includes(name) ? 'a whole number' : 'a number'
  const least = name === 'toolCalls' ? 'of at least 0' : what === 'a number' ? 'above 0' : 'of at least 1'
  return new CodeActError('OPTION_INVALID', `limits.${name} must be ${what} ${least}, not ${String(value)}.`)
}

function priceOf(id: string, prices: Prices): Price {
  const price = findPrice(id, prices)
  if (price !== undefined) return price
  throw new CodeActError('PRICE_UNKNOWN', `limits.cost cannot be kept: what ${id} costs is not known.`, {
    hint: `Say it, in US dollars per million tokens: prices: { '${id}': { input: 1.25, output: 10 } }`,
  })
}
