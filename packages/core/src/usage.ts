import type { Usage } from '@codeact/spec'

export const NO_USAGE: Usage = { inputTokens: 0, outputTokens: 0 }

/** Sums two counts. One that neither side gives stays absent. */
export function addUsage(a: Usage, b: Usage): Usage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    ...sum('cachedInputTokens', a, b),
    ...sum('cacheWriteTokens', a, b),
    ...sum('reasoningTokens', a, b),
    ...(a.isPartial || b.isPartial ? { isPartial: true } : {}),
  }
}

function sum(key: 'cachedInputTokens' | 'cacheWriteTokens' | 'reasoningTokens', a: Usage, b: Usage): Partial<Usage> {
  if (a[key] === undefined && b[key] === undefined) return {}
  return { [key]: (a[key] ?? 0) + (b[key] ?? 0) }
}
