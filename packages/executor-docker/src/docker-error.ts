import { CodeActError } from '@codeact/spec'

/** What `dockerode` rejects with: an answer that is not a success has a `statusCode`, a connection that fails a `code`. */
interface Failure {
  readonly statusCode?: number
  readonly code?: string
  readonly json?: { readonly message?: string } | null
  readonly message?: string
}

/** The number of the answer; undefined where none came. */
export function statusOf(error: unknown): number | undefined {
  return (error as Failure).statusCode
}

/** The daemon's own words, without what the library wraps around them. */
export function wordsOf(error: unknown): string {
  const { json, message = String(error), statusCode } = error as Failure
  const words = statusCode === undefined ? message : (json?.message ?? message.replace(/^\(HTTP code.*?\) .*? - /, ''))
  return words.trim().replace(/\.$/, '')
}

/** A call that failed as what an operator can mend. `what` is the end of a sentence: `start the container`. */
export function dockerError(what: string, error: unknown): CodeActError {
  if (CodeActError.is(error)) return error
  if (statusOf(error) === undefined) return daemonLost(error)
  return new CodeActError('EXECUTOR_UNAVAILABLE', `Docker could not ${what}: ${wordsOf(error)}.`, { cause: error })
}

/** Docker answered before, and no longer does. */
export function daemonLost(cause: unknown): CodeActError {
  return new CodeActError('EXECUTOR_UNAVAILABLE', `The connection to Docker was lost: ${wordsOf(cause)}.`, {
    hint: 'See whether `docker ps` answers. If it does not, start Docker again: sudo systemctl start docker, or Docker Desktop.',
    isRetryable: true,
    cause,
  })
}
