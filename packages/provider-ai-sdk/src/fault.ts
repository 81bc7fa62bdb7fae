import { type Fault, systemError } from '@codeact/model'
import { isRecord } from './stream-part.ts'
import { wordsOf } from './words.ts'

/** What vendors call it, of those that say it by a code. */
const BY_CODE: Readonly<Record<string, Fault['means']>> = {
  content_filter: 'content-refused',
  content_policy_violation: 'content-refused',
  insufficient_quota: 'no-credit',
}

/** What an `APICallError` has that comes of an answer. */
interface Answered {
  readonly statusCode: number
  /** False where the provider knows that another try is in vain. */
  readonly isRetryable?: unknown
  readonly data?: unknown
  readonly responseHeaders?: unknown
}

/** What was thrown, or stood in the stream as an error. Errors are known by their fields: no class is shared. */
export function faultOf(thrown: unknown, hasBegun: boolean): Fault {
  const words = wordsOf(thrown)
  const lost = systemError(thrown)
  // With a status that was good, the connection was gone behind it.
  if (hasStatus(thrown) && (thrown.statusCode >= 300 || lost === undefined)) return answerFault(thrown, words)
  const kind = isRecord(thrown) ? thrown.name : undefined
  if (kind === 'AI_JSONParseError') return { means: 'stream-cut', words: 'an event is not JSON' }
  if (hasBegun || hasStatus(thrown)) return { means: 'stream-cut', words: lost?.message ?? words }
  if (kind === 'AI_LoadAPIKeyError') return { means: 'key-missing', words }
  if (kind === 'AI_NoSuchModelError') return { means: 'not-found', words }
  if (kind !== 'AI_APICallError' && lost === undefined) return { means: 'not-made', words }
  return { means: 'no-connection', words, server: originOf(thrown) }
}

function answerFault({ statusCode: status, isRetryable, data, responseHeaders }: Answered, words: string): Fault {
  const { code, param } = isRecord(data) && isRecord(data.error) ? data.error : {}
  return {
    status,
    words,
    means: meaningOf(code, words),
    field: typeof param === 'string' ? param : undefined,
    headers: isRecord(responseHeaders) ? responseHeaders : undefined,
    isRetryable: isRetryable !== false,
  }
}

function meaningOf(code: unknown, words: string): Fault['means'] {
  if (typeof code === 'string' && Object.hasOwn(BY_CODE, code)) return BY_CODE[code]
  return /content filtering policy/i.test(words) ? 'content-refused' : undefined
}

function hasStatus(error: unknown): error is Answered {
  return isRecord(error) && typeof error.statusCode === 'number'
}

/** Without a path, and above all without a query or a password. */
function originOf(error: unknown): string | undefined {
  const url = isRecord(error) && typeof error.url === 'string' ? error.url : ''
  return /^https?:/.test(url) && URL.canParse(url) ? new URL(url).origin : undefined
}
