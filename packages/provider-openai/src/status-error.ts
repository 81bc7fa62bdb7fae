import { CodeActError } from '@codeact/spec'
import type { Server } from './server.ts'

/** What is read of the API's error beside its words. */
interface Fault {
  readonly code?: unknown
  readonly type?: unknown
}

const TOO_LONG = /maximum context length|context window|exceeds the (available )?context/i
const REFUSED = [
  'content_filter',
  'content_policy_violation',
  'invalid_prompt',
  'image_content_policy_violation',
  'bio_policy',
]

/** A status of 400 and above, as what it asks of the operator. */
export function statusError(
  status: number,
  words: string,
  fault: Fault,
  server: Server,
  model: string | undefined,
): CodeActError {
  const { code, says, hint, isRetryable } = meaning(status, words, fault, server, model)
  return new CodeActError(code, `${says}: ${words}`, { hint, isRetryable })
}

interface Meaning {
  readonly code: string
  readonly says: string
  readonly hint: string
  readonly isRetryable?: boolean
}

function meaning(status: number, words: string, fault: Fault, server: Server, model: string | undefined): Meaning {
  const { baseURL } = server
  if (REFUSED.includes(String(fault.code))) return refusedContent(baseURL)
  if (isTooLong(status, words, fault)) return tooLong(model)
  if (status === 404 || fault.code === 'model_not_found') return notFound(baseURL, model)
  if (status === 401 || status === 403) return refusedKey(server)
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
    hint: `Check what was sent${model === undefined ? '' : ` to ${JSON.stringify(model)}`}: the fields in the option \`request\`, and the length of the transcript.`,
  }
}

/** Not every server has a code for it. */
function isTooLong(status: number, words: string, { code, type }: Fault): boolean {
  if (code === 'context_length_exceeded' || type === 'exceed_context_size_error') return true
  return status === 400 && TOO_LONG.test(words)
}

function tooLong(model: string | undefined): Meaning {
  return {
    code: 'MODEL_CONTEXT_LENGTH',
    says: `The transcript is longer than ${JSON.stringify(model)} can read`,
    hint: 'Begin a new session, or name a model that reads more. A server of your own may only need a larger window: OLLAMA_CONTEXT_LENGTH=32768 ollama serve, vllm serve --max-model-len 32768.',
  }
}

function refusedContent(baseURL: string): Meaning {
  return {
    code: 'MODEL_CONTENT_REFUSED',
    says: `${baseURL} refuses to answer what is in the transcript`,
    hint: 'Word the task in another way, or begin a new session without what set it off.',
  }
}

function notFound(baseURL: string, model: string | undefined): Meaning {
  const missing =
    model === undefined
      ? 'lists no models'
      : `does not know the model ${JSON.stringify(model)}, or nothing is served there`
  return {
    code: 'MODEL_NOT_FOUND',
    says: `${baseURL} ${missing}`,
    hint: `See which models there are: curl ${baseURL}/models. If that fails too, the base URL is wrong; it mostly ends in /v1.`,
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
