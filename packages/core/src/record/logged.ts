import type { CodeActEvent } from '@codeact/spec'
import type { LogWriter } from './log.ts'

/** Where the events of a run go, and what stops it. */
export interface Wiring {
  readonly emit: (event: CodeActEvent) => void
  readonly signal: AbortSignal
}

/** Writes down each event before others hear it. A log that can no longer be written stops the run, which then fails. */
export async function logged<T>(
  log: LogWriter | undefined,
  { emit, signal }: Wiring,
  work: (wiring: Wiring) => Promise<T>,
): Promise<T> {
  if (log === undefined) return work({ emit, signal })
  const failed = new AbortController()
  const note = (event: CodeActEvent): void => {
    try {
      if (!failed.signal.aborted) log.write(event)
    } catch (error) {
      failed.abort(error)
    }
    emit(event)
  }
  const result = await work({ emit: note, signal: AbortSignal.any([signal, failed.signal]) })
  failed.signal.throwIfAborted()
  return result
}
