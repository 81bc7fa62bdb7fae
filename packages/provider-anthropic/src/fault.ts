import { APIConnectionError, APIError } from '@anthropic-ai/sdk'
import type { Fault, Meaning } from '@codeact/model'

/** The status that each type of error has as a response: an error in mid-stream comes without one. */
const STATUS: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  api_error: 500,
  timeout_error: 504,
  overloaded_error: 529,
}

/** What an error of the SDK says: of a failed response, or one that the server put into its stream. */
export function faultOf(thrown: unknown): Fault | undefined {
  if (thrown instanceof APIConnectionError) return { means: 'no-connection', words: thrown.message }
  if (!(thrown instanceof APIError)) return undefined
  const { apiMessage, message, type, headers } = thrown
  const status = thrown.status ?? (type !== null && Object.hasOwn(STATUS, type) ? STATUS[type] : undefined)
  const words = apiMessage ?? message
  if (status === undefined) return { means: 'stream-cut', words }
  return { status, means: meaningOf(words), words, headers }
}

/** The API has one status for much: its words tell a refusal and an empty account from a bad request. */
function meaningOf(words: string): Meaning | undefined {
  if (/content filtering policy/i.test(words)) return 'content-refused'
  return /credit balance|spend limit/i.test(words) ? 'no-credit' : undefined
}
