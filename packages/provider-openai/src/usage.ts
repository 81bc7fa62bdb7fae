import type { Usage } from '@codeact/spec'

type Count = number | null | undefined

/** What a server counted. One that counts nothing is reported as zero: there is no better figure. */
export function countsAsUsage(
  counts: Record<'input' | 'output' | 'cached' | 'cacheWrite' | 'reasoning', Count>,
): Usage {
  const { input, output, cached, cacheWrite, reasoning } = counts
  return {
    inputTokens: input ?? 0,
    outputTokens: output ?? 0,
    ...(typeof cached === 'number' ? { cachedInputTokens: cached } : {}),
    ...(typeof cacheWrite === 'number' ? { cacheWriteTokens: cacheWrite } : {}),
    ...(typeof reasoning === 'number' ? { reasoningTokens: reasoning } : {}),
  }
}
