import { APIConnectionError, APIError } from '@anthropic-ai/sdk'
import { CodeActError } from '@codeact/spec'
import { modelAborted } from './abort.ts'
import type { Server } from './server.ts'
import { statusError } from './status-error.ts'

const BASE_URL_HINT = 'Check the base URL: it is what stands before /v1/messages (https://api.anthropic.com).'

/** Anything that a call threw, as a `CodeActError` without secrets. */
export function modelError(error: unknown, server: Server, model?: string, signal?: AbortSignal): CodeActError {
  if (CodeActError.is(error)) return error
  if (signal?.aborted) return modelAborted(signal)
  if (error instanceof APIConnectionError) return networkError(error, server)
  if (error instanceof APIError) return apiError(error, server, model)
  if (error instanceof SyntaxError) return streamCut('an event is not JSON')
  return streamCut(error instanceof Error ? server.redact(rootOf(error).message) : '', systemError(error))
}

/** The reply broke off: what came of it is not the whole. */
export function streamCut(reason: string, cause?: unknown): CodeActError {
  const message = `The reply of the model broke off before its end${reason && `: ${reason}`}.`
  return new CodeActError('MODEL_STREAM_CUT', message, {
    hint: 'Run it again. If it happens each time, look at the log of the model server, or of the proxy before it.',
    cause,
    isRetryable: true,
  })
}

/** The server answered, but with something else than a stream of events: mostly the wrong address. */
export function notAStream(baseURL: string, contentType: string): CodeActError {
  return new CodeActError(
    'MODEL_BAD_RESPONSE',
    `${baseURL} answered with ${contentType} in place of a stream of events.`,
    { hint: BASE_URL_HINT },
  )
}

/** The server lists nothing, or answered with something else than a list. */
export function noModels(baseURL: string): CodeActError {
  return new CodeActError('MODEL_BAD_RESPONSE', `${baseURL} lists no models.`, { hint: BASE_URL_HINT })
}

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

function apiError(error: APIError, server: Server, model: string | undefined): CodeActError {
  const { apiMessage, message, type } = error
  const status = error.status ?? (type !== null && Object.hasOwn(STATUS, type) ? STATUS[type] : undefined)
  const words = server.redact(apiMessage ?? message)
  if (status === undefined) return streamCut(words)
  return statusError({ status, words: apiMessage === null ? words : `${status} ${words}` }, server, model)
}

function networkError(error: APIConnectionError, { baseURL, redact }: Server): CodeActError {
  const reason = redact(rootOf(error).message)
  return new CodeActError('MODEL_NETWORK', `There is no connection to ${baseURL} (${reason}).`, {
    hint: `Check that ${baseURL} is the right address, and that its server runs and can be reached: curl ${baseURL}/v1/models`,
    cause: systemError(error),
    isRetryable: true,
  })
}

/** The layers above the root only say that something failed; so does a list of all addresses that were tried. */
function rootOf(error: Error): Error {
  const below = error instanceof AggregateError ? error.errors[0] : error.cause
  return below instanceof Error ? rootOf(below) : error
}

/** The operating system's error below a failed request, which holds nothing of the request. */
function systemError(error: unknown): Error | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    if ('code' in at && typeof at.code === 'string' && !(at instanceof APIError)) return at
  }
  return undefined
}
