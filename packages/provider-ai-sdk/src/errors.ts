import { CodeActError } from '@codeact/spec'
import { modelAborted } from './abort.ts'
import { hasStatus, statusError, WRONG_ADDRESS } from './status-error.ts'
import { isRecord } from './stream-part.ts'
import type { Target } from './target.ts'
import { wordsOf } from './words.ts'

/** A failure after the reply had begun: what the stream threw, or an error that stood in it. */
export class StreamFault extends Error {
  readonly reason: unknown

  constructor(reason: unknown) {
    super('The stream failed.')
    this.reason = reason
  }
}

/** What really failed. */
export function reasonOf(thrown: unknown): unknown {
  return thrown instanceof StreamFault ? thrown.reason : thrown
}

/** Anything that a call threw, as a `CodeActError` without secrets. Errors are known by their fields: no class is shared. */
export function modelError(thrown: unknown, target: Target, signal: AbortSignal): CodeActError {
  const reason = reasonOf(thrown)
  if (CodeActError.is(reason)) return reason
  if (signal.aborted) return modelAborted(signal)
  const words = target.redact(wordsOf(reason))
  const lost = systemError(reason)
  if (hasStatus(reason)) {
    // An answer that was good, and then the connection was gone.
    return reason.statusCode < 300 && lost !== undefined ? streamCut(lost.message, lost) : statusError(reason, target)
  }
  if (thrown instanceof StreamFault) return cutBy(reason, words)
  return notMade(reason, words, target)
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
export function notAStream(model: string, contentType: string): CodeActError {
  return new CodeActError(
    'MODEL_BAD_RESPONSE',
    `The server of ${model} answered with ${contentType} in place of a stream of events.`,
    { hint: WRONG_ADDRESS },
  )
}

function cutBy(reason: unknown, words: string): CodeActError {
  return nameOf(reason) === 'AI_JSONParseError'
    ? streamCut('an event is not JSON')
    : streamCut(words, systemError(reason))
}

/** The call failed without an answer, or with one that the provider could not read. */
function notMade(reason: unknown, words: string, { name }: Target): CodeActError {
  const kind = nameOf(reason)
  if (kind === 'AI_LoadAPIKeyError') {
    return new CodeActError('MODEL_KEY_MISSING', `There is no key for ${name}: ${words}`, {
      hint: 'Set the variable that it names, or give the key to the provider: createOpenAI({ apiKey: … }).',
    })
  }
  if (kind === 'AI_NoSuchModelError') return notFound(name, words)
  if (kind === 'AI_APICallError' || systemError(reason) !== undefined) return network(reason, words, name)
  return new CodeActError('MODEL_BAD_REQUEST', `The call to ${name} could not be made: ${words}`, {
    hint: 'Check the options of the model object, and the option `request` of aiSdk().',
  })
}

function notFound(name: string, words: string): CodeActError {
  return new CodeActError('MODEL_NOT_FOUND', `There is no model ${name}: ${words}`, {
    hint: 'Check the name that was given to the provider, and the list of models of its vendor.',
  })
}

function network(reason: unknown, words: string, name: string): CodeActError {
  const cause = systemError(reason)
  const url = isRecord(reason) && typeof reason.url === 'string' ? originOf(reason.url) : undefined
  const where = url ?? `the server of ${name}`
  return new CodeActError('MODEL_NETWORK', `There is no connection to ${where} (${cause?.message || words}).`, {
    hint: `Check that ${where} is the right address, and that it can be reached from here.`,
    cause,
    isRetryable: true,
  })
}

/** Without a path, and above all without a query or a password. */
function originOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).origin : undefined
}

/** The operating system's error below a failed request, which holds nothing of the request. */
function systemError(error: unknown): Error | undefined {
  for (let at = error; at instanceof Error; at = below(at)) {
    if ('code' in at && typeof at.code === 'string' && at.name !== 'AI_APICallError') return at
  }
  return undefined
}

function below(error: Error): unknown {
  return error instanceof AggregateError ? error.errors[0] : error.cause
}

function nameOf(error: unknown): string {
  return isRecord(error) && typeof error.name === 'string' ? error.name : ''
}
