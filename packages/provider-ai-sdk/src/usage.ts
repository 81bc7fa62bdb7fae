import type { Usage } from '@codeact/spec'
import { isRecord, type StreamPart } from './stream-part.ts'

type Counts = Readonly<Record<string, unknown>>

/** What the provider counted; a model that counts nothing is reported as zero: there is no better figure. */
export function usageOf({ usage, providerMetadata }: StreamPart): Usage {
  if (!isRecord(usage)) return { inputTokens: 0, outputTokens: 0 }
  if (isRecord(usage.inputTokens) || isRecord(usage.outputTokens)) return nested(usage)
  return flat(usage, providerMetadata)
}

/** V3 and V4: in groups. Providers write zero there for what nobody counted: as a count of its own, a zero is left out. */
function nested({ inputTokens, outputTokens }: Counts): Usage {
  const input = isRecord(inputTokens) ? inputTokens : {}
  const output = isRecord(outputTokens) ? outputTokens : {}
  return whole({
    input: number(input.total) ?? sum(input.noCache, input.cacheRead, input.cacheWrite),
    output: number(output.total) ?? sum(output.text, output.reasoning),
    cached: input.cacheRead || undefined,
    written: input.cacheWrite || undefined,
    reasoning: output.reasoning || undefined,
  })
}

/**
 * V2: flat, and each provider counts its own way. Anthropic's leaves what was cached out of the input, and says so in its own
 * words beside it; Google's leaves the reasoning out of the output, but not out of the total.
 */
function flat(usage: Counts, metadata: unknown): Usage {
  const { cachedInputTokens: cached, reasoningTokens: reasoning } = usage
  const said = anthropicCounts(metadata)
  const written = said?.cache_creation_input_tokens
  const [input, output, total] = [sum(usage.inputTokens), sum(usage.outputTokens), sum(usage.totalTokens)]
  return whole({
    input: said === undefined ? input : sum(said.input_tokens, said.cache_read_input_tokens, written),
    output: Math.max(output, total - input),
    cached,
    written,
    reasoning,
  })
}

function anthropicCounts(metadata: unknown): Counts | undefined {
  const said = isRecord(metadata) && isRecord(metadata.anthropic) ? metadata.anthropic.usage : undefined
  return isRecord(said) && typeof said.input_tokens === 'number' ? said : undefined
}

function whole(counts: {
  input: number
  output: number
  cached: unknown
  written: unknown
  reasoning: unknown
}): Usage {
  const [cached, written, reasoning] = [number(counts.cached), number(counts.written), number(counts.reasoning)]
  return {
    inputTokens: counts.input,
    outputTokens: counts.output,
    ...(cached === undefined ? {} : { cachedInputTokens: cached }),
    ...(written === undefined ? {} : { cacheWriteTokens: written }),
    ...(reasoning === undefined ? {} : { reasoningTokens: reasoning }),
  }
}

function sum(...counts: readonly unknown[]): number {
  return counts.reduce<number>((total, count) => total + (number(count) ?? 0), 0)
}

function number(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}
