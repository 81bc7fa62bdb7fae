/** The operating system's error, or that of the HTTP client, below a failed request: it holds nothing of the request. */
export function systemError(error: unknown): Error | undefined {
  for (let at = error; at instanceof Error; at = below(at)) {
    const isOfVendor = 'headers' in at || 'responseHeaders' in at
    if (!isOfVendor && 'code' in at && typeof at.code === 'string' && /^(?!ERR_INVALID)[A-Z][A-Z\d_]+$/.test(at.code))
      return at
  }
  return undefined
}

/** What really failed: the layers above only say that something did. */
export function rootOf(error: Error): Error {
  const next = below(error)
  return next instanceof Error ? rootOf(next) : error
}

/** True of what `fetch` throws where the address is no URL, not one of http, or holds a password. */
export function isBadAddress(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const root: Error & { code?: unknown } = rootOf(error)
  return root.code === 'ERR_INVALID_URL' || /^unknown scheme$|URL that includes credentials/.test(root.message)
}

/** Of all addresses that were tried, the first. */
function below(error: Error): unknown {
  return error instanceof AggregateError ? error.errors[0] : error.cause
}
