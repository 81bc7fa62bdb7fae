import type { Usage } from '@codeact/spec'

/** US dollars per million tokens. */
export interface Price {
  readonly input: number
  readonly output: number
  /** For input read from a prompt cache. Default: as other input. */
  readonly cachedInput?: number
  /** For input written to a prompt cache. Default: as other input. */
  readonly cacheWrite?: number
}

/** By model id, as `provider:name`. */
export type Prices = Readonly<Record<string, Price>>

/** List prices of the vendors, as far as they were known when this was released. The option `prices` goes before them. */
const LIST: Prices = {
  'openai:gpt-5': { input: 1.25, cachedInput: 0.125, output: 10 },
  'openai:gpt-5-mini': { input: 0.25, cachedInput: 0.025, output: 2 },
  'openai:gpt-5-nano': { input: 0.05, cachedInput: 0.005, output: 0.4 },
  'openai:gpt-4.1': { input: 2, cachedInput: 0.5, output: 8 },
  'openai:gpt-4.1-mini': { input: 0.4, cachedInput: 0.1, output: 1.6 },
  'openai:gpt-4.1-nano': { input: 0.1, cachedInput: 0.025, output: 0.4 },
  'openai:gpt-4o': { input: 2.5, cachedInput: 1.25, output: 10 },
  'openai:gpt-4o-mini': { input: 0.15, cachedInput: 0.075, output: 0.6 },
  'anthropic:claude-opus-4-5': { input: 5, cachedInput: 0.5, cacheWrite: 6.25, output: 25 },
  'anthropic:claude-sonnet-4-5': { input: 3, cachedInput: 0.3, cacheWrite: 3.75, output: 15 },
  'anthropic:claude-haiku-4-5': { input: 1, cachedInput: 0.1, cacheWrite: 1.25, output: 5 },
}

/** The day that some vendors put behind a model's name: the price is that of the model. */
const DAY = /-(\d{8}|\d{4}-\d{2}-\d{2})$/

/** What a model costs; undefined where nobody has said. Nothing is guessed from a name that is only similar. */
export function findPrice(id: string, prices: Prices): Price | undefined {
  const name = id.replace(DAY, '')
  return prices[id] ?? prices[name] ?? LIST[id] ?? LIST[name]
}

/** What tokens cost, in US dollars. */
export function costOf(usage: Usage, price: Price): number {
  const { inputTokens, outputTokens, cachedInputTokens = 0, cacheWriteTokens = 0 } = usage
  const { input, output, cachedInput = input, cacheWrite = input } = price
  const plain = Math.max(0, inputTokens - cachedInputTokens - cacheWriteTokens)
  const total = plain * input + cachedInputTokens * cachedInput + cacheWriteTokens * cacheWrite + outputTokens * output
  return total / 1e6
}
