import { CodeActError } from '@codeact/spec'
import type { Server } from './server.ts'

/** What is read of the API's error beside its words. */
interface Fault {
  readonly code?: string | null
}

/** A status of 400 and above, as what it asks of the operator. */
export function statusError(status: number, words: string, fault: Fault, server: Server, model: string): CodeActError {
  const { code, says, hint, isRetryable } = meaning(status, fault, server, model)
  return new CodeActError(code, `${says}: ${words}`, { hint, isRetryable })
}

interface Meaning {
  readonly code: string
  readonly says: string
  readonly hint: string
  readonly isRetryable?: boolean
}

function meaning(status: number, fault: Fault, server: Server, model: string): Meaning {
  const { baseURL } = server
  if (status === 401 || status === 403) return refusedKey(server)
  if (status === 404) {
    return {
      code: 'MODEL_NOT_FOUND',
      says: `${baseURL} does not know the model ${JSON.stringify(model)}, or nothing is served there`,
      hint: `See which models there are: curl ${baseURL}/models. If that fails too, the base URL is wrong; it mostly ends in /v1.`,
    }
  }
  if (status === 429) return fault.code === 'insufficient_quota' ? noQuota(baseURL) : rateLimit(baseURL)
  if (status === 408 || status === 409 || status >= 500) {
    return {
      code: 'MODEL_OVERLOADED',
      says: `${baseURL} failed`,
      hint: 'Run it again in a while. A server of your own says more in its log.',
      isRetryable: true,
    }
  }
  return {
    code: 'MODEL_BAD_REQUEST',
    says: `${baseURL} refused the request`,
    hint: `Check what was sent to ${JSON.stringify(model)}: the fields in the option \`request\`, and the length of the transcript.`,
  }
}

function refusedKey({ baseURL, hasKey }: Server): Meaning {
  return {
    code: 'MODEL_AUTH',
    says: hasKey ? `${baseURL} refused the key` : `${baseURL} asks for a key`,
    hint: `Set a key that is valid for ${baseURL}: export OPENAI_API_KEY=…, or pass apiKey.`,
  }
}

function rateLimit(baseURL: string): Meaning {
  return {
    code: 'MODEL_RATE_LIMIT',
    says: `${baseURL} has had too many calls`,
    hint: 'Run it again in a while, or give it more patience: openai(model, { maxRetries: 6 }).',
    isRetryable: true,
  }
}

function noQuota(baseURL: string): Meaning {
  return {
    code: 'MODEL_RATE_LIMIT',
    says: `The account at ${baseURL} has nothing left to spend`,
    hint: 'Add credit to the account or raise its limit; or set OPENAI_API_KEY to a key of another one.',
  }
}
