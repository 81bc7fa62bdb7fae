import type { Usage } from '@codeact/spec'
import type { ChunkUsage } from './chunk.ts'

/** A server that counts nothing is reported as zero: there is no better figure. */
export function usageOf(usage: ChunkUsage | null | undefined): Usage {
  const cached = usage?.prompt_tokens_details?.cached_tokens
  const reasoning = usage?.completion_tokens_details?.reasoning_tokens
  return {
    inputTokens: usage?.prompt_tokens ?? 0,
    outputTokens: usage?.completion_tokens ?? 0,
    ...(typeof cached === 'number' ? { cachedInputTokens: cached } : {}),
    ...(typeof reasoning === 'number' ? { reasoningTokens: reasoning } : {}),
  }
}
