import { CodeActError } from '@codeact/spec'
import { isRecord } from './stream-part.ts'
import type { Target } from './target.ts'
import { wordsOf } from './words.ts'

export const WRONG_ADDRESS =
  'Check the baseURL that the provider was made with: servers that are compatible with OpenAI mostly serve under /v1.'

/** What is read of an `APICallError` that has an answer. */
export interface Answered {
  readonly statusCode: number
  /** False where the provider knows that another try is in vain. */
  readonly isRetryable?: unknown
  readonly data?: unknown
  readonly responseHeaders?: unknown
}

export function hasStatus(error: unknown): error is Answered {
  return isRecord(error) && typeof error.statusCode === 'number'
}

/** An answer that was no reply, as what it asks of the operator. */
export function statusError(error: Answered, { name, redact }: Target): CodeActError {
  const { statusCode } = error
  const { code, says, hint, isRetryable = false } = meaning(statusCode, error.data, name, wordsOf(error))
  return new CodeActError(code, `${says}: ${statusCode} ${redact(wordsOf(error))}`, {
    hint,
    isRetryable: isRetryable && error.isRetryable !== false,
  })
}

/** As vendors say it: they share no code for it. */
const TOO_LONG = /context (length|window|size)|prompt is too long|too many (input )?tokens|maximum context/i

interface Meaning {
  readonly code: string
  readonly says: string
  readonly hint: string
  readonly isRetryable?: boolean
}

function meaning(status: number, data: unknown, name: string, words: string): Meaning {
  if (status < 300) {
    return {
      code: 'MODEL_BAD_RESPONSE',
      says: `The server of ${name} answered with something that is no reply`,
      hint: WRONG_ADDRESS,
    }
  }
  if (status === 401 || status === 403) {
    return {
      code: 'MODEL_AUTH',
      says: `The server of ${name} refused the key`,
      hint: 'Set a key that is valid there: the variable that the provider reads (export OPENAI_API_KEY=…), or its option apiKey.',
    }
  }
  if (status === 404) {
    return {
      code: 'MODEL_NOT_FOUND',
      says: `There is no model ${name}, or nothing is served at its address`,
      hint: 'Check the name that was given to the provider; if that is right, its baseURL.',
    }
  }
  if (status === 413 || (status === 400 && TOO_LONG.test(words))) return tooLong(name)
  if (status === 429) return isOutOfQuota(data) ? noQuota(name) : rateLimit(name)
  if (status === 408 || status === 409 || status >= 500) {
    return {
      code: 'MODEL_OVERLOADED',
      says: `The server of ${name} failed`,
      hint: 'Run it again in a while. A server of your own says more in its log.',
      isRetryable: true,
    }
  }
  return {
    code: 'MODEL_BAD_REQUEST',
    says: `The server of ${name} refused the request`,
    hint: 'Check what was sent: the option `request`, those of the model object, and the length of the transcript.',
  }
}

function tooLong(name: string): Meaning {
  return {
    code: 'MODEL_CONTEXT_LENGTH',
    says: `The transcript is longer than ${name} can read`,
    hint: 'Begin a new session, or name a model that reads more.',
  }
}

function rateLimit(name: string): Meaning {
  return {
    code: 'MODEL_RATE_LIMIT',
    says: `The server of ${name} has had too many calls`,
    hint: 'Run it again in a while, or give it more patience: aiSdk(model, { maxRetries: 6 }).',
    isRetryable: true,
  }
}

function noQuota(name: string): Meaning {
  return {
    code: 'MODEL_RATE_LIMIT',
    says: `The account for ${name} has nothing left to spend`,
    hint: 'Add credit to the account or raise its limit; or use a key of another one.',
  }
}

function isOutOfQuota(data: unknown): boolean {
  return isRecord(data) && isRecord(data.error) && data.error.code === 'insufficient_quota'
}
