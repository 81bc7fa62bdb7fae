import { CodeActError } from '@codeact/spec'
import { nameOf, wordsOf } from './sdk-error.ts'

/** A call of the SDK, for the message of its failure. */
export interface Attempted {
  /** The end of a sentence: `make a sandbox`. */
  readonly what: string
  readonly apiKey: string
  readonly template?: string
  readonly sandboxId?: string
}

/** A call that failed, as what an operator can mend. */
export function e2bError({ what, apiKey, template, sandboxId }: Attempted, error: unknown): CodeActError {
  if (CodeActError.is(error)) return error
  const words = wordsOf(error, apiKey)
  const name = nameOf(error)
  const because = { cause: causeOf(error, words) }
  if (name === 'AuthenticationError') {
    return new CodeActError('EXECUTOR_AUTH', `E2B does not accept the key: ${words}.`, {
      ...because,
      hint: 'Set one that is valid: export E2B_API_KEY=e2b_… (https://e2b.dev/dashboard?tab=keys).',
    })
  }
  if (name === 'RateLimitError') {
    return new CodeActError('EXECUTOR_RATE_LIMIT', `E2B refuses to ${what} now: ${words}.`, {
      ...because,
      hint: 'End sandboxes that are no longer needed (https://e2b.dev/dashboard?tab=sandboxes), wait, or raise the limit of the plan.',
      isRetryable: true,
    })
  }
  if (name === 'ServiceBusyError') {
    return new CodeActError('EXECUTOR_UNAVAILABLE', `E2B is busy and cannot ${what} now: ${words}.`, {
      ...because,
      hint: 'Try again in a while; https://status.e2b.dev tells whether something is wrong.',
      isRetryable: true,
    })
  }
  if (template !== undefined && /template/i.test(words) && /not found|404|does not exist|access/i.test(words)) {
    return new CodeActError(
      'EXECUTOR_TEMPLATE_UNKNOWN',
      `E2B has no template ${JSON.stringify(template)} for this key: ${words}.`,
      {
        ...because,
        hint: "Correct the name, or leave it out for E2B's own: e2b({ template: 'code-interpreter-v1' }); e2b template list shows yours.",
      },
    )
  }
  if (sandboxId !== undefined && (name === 'SandboxNotFoundError' || name === 'NotFoundError')) {
    return sandboxGone(sandboxId, 'it was ended, or its time was up', because.cause)
  }
  if (isNetwork(error)) {
    return new CodeActError('EXECUTOR_UNAVAILABLE', `E2B cannot be reached: ${words}.`, {
      ...because,
      hint: 'Check the network, and E2B_DOMAIN or E2B_API_URL where they are set: curl https://api.e2b.app/health',
      isRetryable: true,
    })
  }
  return new CodeActError('EXECUTOR_UNAVAILABLE', `E2B could not ${what}: ${words}.`, { ...because, isRetryable: true })
}

export function sandboxGone(sandboxId: string, why: string, cause?: unknown): CodeActError {
  return new CodeActError('SANDBOX_GONE', `The sandbox ${sandboxId} is gone: ${why}.`, {
    hint: 'Open a new one; idleMs says how long one lives on without being used.',
    cause,
  })
}

/** No answer at all: fetch's own failure, or a request that was given up. */
export function isNetwork(error: unknown): boolean {
  return (
    error instanceof TypeError || /fetch failed|ECONN|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|terminated/.test(wordsOf(error))
  )
}

/** Logs print causes: one that holds the key is left out. */
function causeOf(error: unknown, words: string): unknown {
  return words.includes('…') ? undefined : error
}
