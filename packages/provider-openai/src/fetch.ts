import { serverWords } from './server-words.ts'

/** `fetch`, for the SDK: a failed response comes in the form from which the SDK reads what was wrong. */
export async function fetchForSdk(url: string | URL | Request, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, init)
  if (response.ok) return response
  const { status, statusText, headers } = response
  return new Response(serverWords(await response.text()), { status, statusText, headers })
}
