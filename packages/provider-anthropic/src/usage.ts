import type { Usage } from '@codeact/spec'
import type { EventUsage } from './stream-event.ts'

/** Later counts stand in place of earlier ones: all are totals. A count that an event does not give stays as it was. */
export function laterUsage(earlier: EventUsage, later: EventUsage | null | undefined): EventUsage {
  const given = Object.entries(later ?? {}).filter(([, count]) => count !== null && count !== undefined)
  return { ...earlier, ...Object.fromEntries(given) }
}

/** The API counts apart what was read from the cache, what was written to it, and the rest of the input. */
export function usageOf(usage: EventUsage): Usage {
  const { cache_read_input_tokens: read, cache_creation_input_tokens: written } = usage
  const reasoning = usage.output_tokens_details?.thinking_tokens
  return {
    inputTokens: (usage.input_tokens ?? 0) + (read ?? 0) + (written ?? 0),
    outputTokens: usage.output_tokens ?? 0,
    ...(typeof read === 'number' ? { cachedInputTokens: read } : {}),
    ...(typeof written === 'number' ? { cacheWriteTokens: written } : {}),
    ...(typeof reasoning === 'number' ? { reasoningTokens: reasoning } : {}),
  }
}
