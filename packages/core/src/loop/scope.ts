import { CodeActError, type CodeActEvent, type EventBody, eventStamp, newId } from '@codeact/spec'

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
export async function orStopped<T>(scope: Scope, work: Promise<T>): Promise<T> {
  throwIfStopped(scope)
  let onAbort: () => void = () => {}
  const stopped = new Promise<never>((_, reject) => {
    onAbort = () => reject(new Stopped())
    scope.signal.addEventListener('abort', onAbort, { once: true })
  })
  try {
    return await Promise.race([work, stopped])
  } finally {
    scope.signal.removeEventListener('abort', onAbort)
  }
}
