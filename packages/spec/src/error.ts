import type { CodeActEvent } from './event.ts'

const BRAND = Symbol.for('@codeact/error')

/** A `CodeActError` as plain JSON, as events carry it. */
export interface ErrorJson {
  readonly code: string
  readonly message: string
  readonly hint?: string
}

export interface CodeActErrorOptions {
  /** What to do about it, in words that can be typed. */
  readonly hint?: string
  readonly cause?: unknown
  /** Whether the same call may succeed later without a change. Default false. */
  readonly isRetryable?: boolean
}

/**
 * What an operator must mend: no key, no sandbox, bad config, a missing package. What the model can mend is never thrown:
 * it is data.
 */
export class CodeActError extends Error {
  override readonly name = 'CodeActError'
  /** Stable, for programs: `SANDBOX_CLOSED`. */
  readonly code: string
  readonly hint: string | undefined
  readonly isRetryable: boolean
  /** The events of the run up to the failure, when it failed inside one. Not enumerable: logs stay readable. */
  declare readonly log?: readonly CodeActEvent[]

  constructor(code: string, message: string, options: CodeActErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.hint = options.hint
    this.isRetryable = options.isRetryable ?? false
    Object.defineProperty(this, BRAND, { value: true })
  }

  /** True for an error of this class, also of another copy of this package. */
  static is(error: unknown): error is CodeActError {
    return typeof error === 'object' && error !== null && BRAND in error
  }

  /** Any thrown value as plain JSON; what is not a `CodeActError` has the code `INTERNAL`. */
  static json(error: unknown): ErrorJson {
    if (CodeActError.is(error)) return error.toJSON()
    return { code: 'INTERNAL', message: error instanceof Error ? `${error.name}: ${error.message}` : String(error) }
  }

  toJSON(): ErrorJson {
    return { code: this.code, message: this.message, ...(this.hint === undefined ? {} : { hint: this.hint }) }
  }
}

/** Adds the log so far to a `CodeActError` that has none; any other value passes through untouched. */
export function withLog(error: unknown, log: readonly CodeActEvent[]): unknown {
  if (CodeActError.is(error) && error.log === undefined && Object.isExtensible(error)) {
    Object.defineProperty(error, 'log', { value: log, configurable: true })
  }
  return error
}
