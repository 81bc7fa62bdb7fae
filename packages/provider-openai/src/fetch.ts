import { serverWords } from './server-words.ts'

/** The longest pause that a server may ask for before the next try. A limit that lasts longer is told, not slept through. */
const LONGEST_PAUSE_MS = 60_000

/** `fetch`, for the SDK: a failed response comes in the form from which the SDK reads what was wrong. */
export async function fetchForSdk(url: string | URL | Request, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, init)
  if (response.ok) return response
  const headers = new Headers(response.headers)
  if (pauseOf(headers) > LONGEST_PAUSE_MS) headers.set('x-should-retry', 'false')
  const { status, statusText } = response
  return new Response(serverWords(await response.text()), { status, statusText, headers })
}

/** Milliseconds that the server asks to wait: zero where it does not. */
function pauseOf(headers: Headers): number {
  const exact = Number(headers.get('retry-after-ms'))
  if (exact > 0) return exact
  const after = headers.get('retry-after') ?? ''
  const seconds = Number(after)
  return (Number.isNaN(seconds) ? Date.parse(after) - Date.now() : seconds * 1000) || 0
}
