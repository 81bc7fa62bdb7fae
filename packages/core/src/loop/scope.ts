import {
  CodeActError,
  type CodeActEvent,
  type EventBody,
  eventStamp,
  type NestedRun,
  newId,
  orAborted,
} from '@codeact/spec'
import type { Budget } from '../budget/budget.ts'
import type { Repeats } from '../control/repeats.ts'

/** What everything inside one run shares: where its events go, what stops it, and what it has taken. */
export interface Scope {
  readonly run: string
  readonly task: string
  /** Handed to tools. */
  readonly context: unknown
  readonly signal: AbortSignal
  readonly budget: Budget
  readonly repeats: Repeats
  /** The runs inside this one that have ended. */
  readonly nested: readonly NestedRun[]
  emit(body: EventBody): void
}

export type ScopeOptions = Pick<Scope, 'task' | 'context' | 'signal' | 'budget' | 'repeats'> & {
  readonly emit: (event: CodeActEvent) => void
}

export function openScope({ emit, ...shared }: ScopeOptions): Scope {
  const run = newId('run')
  const stamp = eventStamp(run)
  const nested: NestedRun[] = []
  const note = (body: EventBody): void => {
    if (body.type !== 'run-end' || body.id === run) return
    const { id, stop, steps, usage } = body
    nested.push({ id, stop, steps, usage })
  }
  const told = (body: EventBody): void => {
    note(body)
    emit(stamp(body))
  }
  return { ...shared, run, nested, emit: told }
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
