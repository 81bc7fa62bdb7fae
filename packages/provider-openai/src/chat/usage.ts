import type { Usage } from '@codeact/spec'
import { countsAsUsage } from '../usage.ts'
import type { ChunkUsage } from './chunk.ts'

export function usageOf(usage: ChunkUsage | null | undefined): Usage {
  return countsAsUsage({
    input: usage?.prompt_tokens,
    output: usage?.completion_tokens,
    cached: usage?.prompt_tokens_details?.cached_tokens,
    cacheWrite: usage?.prompt_tokens_details?.cache_write_tokens,
    reasoning: usage?.completion_tokens_details?.reasoning_tokens,
  })
}
