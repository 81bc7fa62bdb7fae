import { CodeActError } from '@codeact/spec'
import { APIConnectionError, APIError } from 'openai'
import { modelAborted } from './abort.ts'
import type { Server } from './server.ts'
import { statusOfCode } from './status-code.ts'
import { statusError } from './status-error.ts'

const BASE_URL_HINT =
  'Check the base URL: servers that are compatible with OpenAI mostly serve under /v1 (http://localhost:11434/v1).'

/** Anything that a call threw, as a `CodeActError` without secrets. */
export function modelError(
  error: unknown,
  server: Server,
  model: string | undefined,
  signal: AbortSignal,
): CodeActError {
  if (CodeActError.is(error)) return error
  if (signal.aborted) return modelAborted(signal)
  if (error instanceof APIConnectionError) return networkError(error, server)
  if (error instanceof APIError) return apiError(error, server, model)
  if (error instanceof SyntaxError) return streamCut('an event is not JSON')
  const cause = error instanceof Error ? rootOf(error) : undefined
  return streamCut(server.redact(cause?.message ?? ''), cause)
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

/** The same for a list of models. */
export function notAList(baseURL: string, contentType: string): CodeActError {
  return new CodeActError('MODEL_BAD_RESPONSE', `${baseURL}/models answered with ${contentType} in place of a list.`, {
    hint: BASE_URL_HINT,
  })
}

/** With a status: a failed response. Without: an error that the server put into its stream, in its own words. */
function apiError(error: APIError, server: Server, model: string | undefined): CodeActError {
  const status = error.status ?? statusOfCode(error.code)
  const words = server.redact(error.message)
  return status === undefined ? streamCut(words) : statusError(status, words, error, server, model)
}

function networkError(error: APIConnectionError, { baseURL, redact }: Server): CodeActError {
  const reason = redact(rootOf(error).message)
  return new CodeActError('MODEL_NETWORK', `There is no connection to ${baseURL} (${reason}).`, {
    hint: `Check that ${baseURL} is the right address, and that its server runs and can be reached: curl ${baseURL}/models`,
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
