import type { Usage } from '@codeact/spec'
import { countsAsUsage } from '../usage.ts'
import type { ResponsesUsage } from './event.ts'

export function usageOf(usage: ResponsesUsage | null | undefined): Usage {
  return countsAsUsage({
    input: usage?.input_tokens,
    output: usage?.output_tokens,
    cached: usage?.input_tokens_details?.cached_tokens,
    cacheWrite: usage?.input_tokens_details?.cache_write_tokens,
    reasoning: usage?.output_tokens_details?.reasoning_tokens,
  })
}
