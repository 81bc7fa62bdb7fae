import { CodeActError, type CodeActEvent, type EventBody, eventStamp, newId, orAborted } from '@codeact/spec'

/** What everything inside one run shares: where its events go, and what stops it. */
export interface Scope {
  readonly run: string
  readonly signal: AbortSignal
  emit(body: EventBody): void
}

export function openScope(emit: (event: CodeActEvent) => void, signal: AbortSignal): Scope {
  const run = newId('run')
  const stamp = eventStamp(run)
  return { run, signal, emit: (body) => emit(stamp(body)) }
}

/** Thrown inside a run that was stopped, and caught at its top: a stopped run resolves. */
export class Stopped extends CodeActError {
  constructor() {
    super('ABORTED', 'The run was stopped.')
  }
}

export function throwIfStopped({ signal }: Scope): void {
  if (signal.aborted) throw new Stopped()
}

/** Rejects with `Stopped` as soon as the run is stopped, whatever the work does. */
export function orStopped<T>({ signal }: Scope, work: Promise<T>): Promise<T> {
  return orAborted(work, signal, () => new Stopped())
}

/** What stops a run: its own `abort()`, or the signal that its caller gave. */
export function eitherSignal(own: AbortSignal, given: AbortSignal | undefined): AbortSignal {
  return given === undefined ? own : AbortSignal.any([own, given])
}
