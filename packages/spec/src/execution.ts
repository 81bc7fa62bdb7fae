/** What running code gave: one shape for success and failure. */
export interface Execution {
  readonly status: ExecutionStatus
  /** Why, where `status` alone does not say. */
  readonly reason?: 'memory' | 'cpu' | 'processes' | 'disk' | 'output' | 'signal' | 'exit' | 'protocol'
  /** What was printed, head and tail, up to the output limit. */
  readonly stdout: string
  readonly stderr: string
  /** The last expression's value; absent when the code does not end in one, or its value is the language's nothing. */
  readonly value?: ValueBundle
  readonly displays: readonly MimeBundle[]
  /** What the code raised, or why it was ended. */
  readonly error?: ExecutionError
  /** What became of variables from earlier cells. */
  readonly state: 'kept' | 'rolled-back' | 'lost'
  /** With `rolled-back` always, else never. */
  readonly rollback?: Rollback
  /** Why no checkpoint is taken of what this cell has left, or none was before it: a kill in the next one may lose the variables. */
  readonly unprotected?: string
  /** Milliseconds from the cell's start, the time in clock-pausing tools left out. */
  readonly durationMs: number
  /** Bytes left out of the middle of `stdout` and `stderr`. */
  readonly truncated?: { readonly stdout?: number; readonly stderr?: number }
}

/**
 * `ok`; `error`: the code raised; `timeout` and `aborted`: it was interrupted or killed; `crashed`: its process ended by
 * itself, or was killed for a limit.
 */
export type ExecutionStatus = 'ok' | 'error' | 'timeout' | 'aborted' | 'crashed'

export interface ExecutionError {
  readonly name: string
  readonly message: string
  /** The traceback in the user's lines only, as the language prints it; it ends with name and message. */
  readonly traceback: string
}

/** One thing in several media types. Text as itself, binary types in base64, `application/json` as JSON text. */
export type MimeBundle = { readonly [mediaType: string]: string }

/** A value always has a plain-text form. */
export type ValueBundle = MimeBundle & { readonly 'text/plain': string }

export interface Rollback {
  /** Names of variables that are back as they were before the cell. */
  readonly restored: readonly string[]
  /** What is not back: threads, sockets, child processes, changed files. */
  readonly lost: readonly string[]
}
