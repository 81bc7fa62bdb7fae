import { CodeActError } from '@codeact/spec'
import type { Server } from './server.ts'

interface Fault {
  readonly status: number
  /** The server's own, without secrets. */
  readonly words: string
}

interface Meaning {
  readonly code: string
  readonly says: string
  readonly hint: string
  readonly isRetryable?: boolean
}

/** A status of 400 and above, as what it asks of the operator. */
export function statusError(fault: Fault, server: Server, model: string | undefined): CodeActError {
  const { code, says, hint, isRetryable } = meaning(fault, server, model)
  return new CodeActError(code, `${says}: ${fault.words}`, { hint, isRetryable })
}

/** The API has one status for much: its words tell a long transcript, a refusal and an empty account apart. */
function meaning({ status, words }: Fault, server: Server, model: string | undefined): Meaning {
  const { baseURL } = server
  if (/content filtering policy/i.test(words)) return refused(baseURL)
  if (status === 402 || /credit balance|spend limit/i.test(words)) return nothingToSpend(baseURL)
  if (status === 401 || status === 403) return refusedKey(server)
  if (status === 404) return notFound(baseURL, model)
  if (status === 413 || (status < 429 && TOO_LONG.test(words))) return tooLong(baseURL)
  if (status === 429) return rateLimit(baseURL)
  if (status === 408 || status === 409 || status >= 500) return overloaded(baseURL)
  return {
    code: 'MODEL_BAD_REQUEST',
    says: `${baseURL} refused the request`,
    hint: 'Check the fields in the option `request`; a model that gives less than 32000 tokens at once needs { max_tokens: 8000 } there.',
  }
}

const TOO_LONG = /prompt is too long|context (window|limit|length)|too many (input )?tokens/i

function tooLong(baseURL: string): Meaning {
  return {
    code: 'MODEL_CONTEXT_LENGTH',
    says: `The transcript is too long for ${baseURL}`,
    hint: 'Begin a new session, print less from code, or take a model with a larger context. A smaller max_tokens in the option `request` leaves more room, too.',
  }
}

function refused(baseURL: string): Meaning {
  return {
    code: 'MODEL_CONTENT_REFUSED',
    says: `${baseURL} blocked the content`,
    hint: 'Put the task in other words, or ask another model.',
  }
}

function nothingToSpend(baseURL: string): Meaning {
  return {
    code: 'MODEL_RATE_LIMIT',
    says: `The account at ${baseURL} has nothing left to spend`,
    hint: 'Add credit to the account or raise its limit; or set ANTHROPIC_API_KEY to a key of another one.',
  }
}

function refusedKey({ baseURL, hasKey }: Server): Meaning {
  return {
    code: 'MODEL_AUTH',
    says: hasKey ? `${baseURL} refused the key` : `${baseURL} asks for a key`,
    hint: `Set a key that is valid for ${baseURL}: export ANTHROPIC_API_KEY=…, or pass apiKey.`,
  }
}

function notFound(baseURL: string, model: string | undefined): Meaning {
  const nothing = 'nothing is served there'
  return {
    code: 'MODEL_NOT_FOUND',
    says: `${baseURL} ${model === undefined ? 'lists no models' : `does not know the model ${JSON.stringify(model)}`}, or ${nothing}`,
    hint: `See which models there are: curl ${baseURL}/v1/models -H "x-api-key: $ANTHROPIC_API_KEY" -H "anthropic-version: 2023-06-01". If that fails too, the base URL is wrong; it ends before /v1.`,
  }
}

function rateLimit(baseURL: string): Meaning {
  return {
    code: 'MODEL_RATE_LIMIT',
    says: `${baseURL} has had too many calls`,
    hint: 'Run it again in a while, or give it more patience: anthropic(model, { maxRetries: 6 }).',
    isRetryable: true,
  }
}

function overloaded(baseURL: string): Meaning {
  return {
    code: 'MODEL_OVERLOADED',
    says: `${baseURL} failed`,
    hint: 'Run it again in a while. A server of your own says more in its log.',
    isRetryable: true,
  }
}
