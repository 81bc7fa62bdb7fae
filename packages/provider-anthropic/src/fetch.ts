/** The longest pause that a server may ask for before the next try. A limit that lasts longer is told, not slept through. */
const LONGEST_PAUSE_MS = 60_000

/** `fetch`, for the SDK. */
export async function fetchForSdk(url: string | URL | Request, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, init)
  if (response.ok || pauseOf(response.headers) <= LONGEST_PAUSE_MS) return response
  const headers = new Headers(response.headers)
  headers.set('x-should-retry', 'false')
  const { status, statusText } = response
  return new Response(response.body, { status, statusText, headers })
}

/** Milliseconds that the server asks to wait: zero where it does not. */
function pauseOf(headers: Headers): number {
  const exact = Number(headers.get('retry-after-ms'))
  if (exact > 0) return exact
  const after = headers.get('retry-after') ?? ''
  const seconds = Number(after)
  return (Number.isNaN(seconds) ? Date.parse(after) - Date.now() : seconds * 1000) || 0
}
