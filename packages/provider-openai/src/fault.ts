import type { Fault, Meaning } from '@codeact/model'
import { APIConnectionError, APIError } from 'openai'
import { statusOfCode } from './status-code.ts'

/** The API's codes that say more than the status does. */
const MEANING: Readonly<Record<string, Meaning>> = {
  bio_policy: 'content-refused',
  content_filter: 'content-refused',
  content_policy_violation: 'content-refused',
  image_content_policy_violation: 'content-refused',
  invalid_prompt: 'content-refused',
  context_length_exceeded: 'too-long',
  exceed_context_size_error: 'too-long',
  insufficient_quota: 'no-credit',
  model_not_found: 'not-found',
}

/** What an error of the SDK says: of a failed response, or one that the server put into its stream, without a status. */
export function faultOf(thrown: unknown): Fault | undefined {
  if (thrown instanceof APIConnectionError) return { means: 'no-connection', words: thrown.message }
  if (!(thrown instanceof APIError)) return undefined
  const { message: words, headers, code, type, param } = thrown
  const status = thrown.status ?? statusOfCode(code)
  if (status === undefined) return { means: 'stream-cut', words }
  const means = meaningOf(status, code) ?? meaningOf(status, type)
  const field = typeof param === 'string' ? param.split(/[.[]/)[0] : undefined
  return { status, words, headers, means, field, code: typeof code === 'string' ? code : undefined }
}

function meaningOf(status: number, code: unknown): Meaning | undefined {
  if (typeof code === 'string' && Object.hasOwn(MEANING, code)) return MEANING[code]
  return status === 413 ? 'bad-request' : undefined // a picture as well as a transcript may be too large for a proxy
}
