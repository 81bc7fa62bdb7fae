import type { PromiseException } from '@codeact/spec'
import type { Trial } from './trial.ts'

/** A promise of the contract, or a detail of one. */
export type Promised = PromiseException['promise']

/** One input, and what must come of it: fields that the `Execution` must match, or a check of it. */
export interface Step {
  readonly code: string
  /** The cell's time limit. Default 10 000. */
  readonly timeoutMs?: number
  readonly expect: Outcome
}

/** As `toMatchObject` takes it; asymmetric matchers too. */
export type Outcome = Readonly<Record<string, unknown>>

/** A bad input, told as data: its cells run one after the other in one sandbox. */
export interface Fault extends Step {
  /** The promise that it tries. */
  readonly promise: Promised
  readonly title: string
  /** Cells that follow in the same sandbox. */
  readonly next?: readonly Step[]
  /** How often the tool `canary` may have run after all that: exactly so often. Default 0. */
  readonly calls?: number
  /** It kills whatever it can reach, which may be what would have brought its state back. */
  readonly mayLoseState?: boolean
  /** Takes more than some five seconds. */
  readonly isSlow?: boolean
  /** How long the host's event loop may be kept waiting: p99, in ms. Default 100. */
  readonly mostDelayMs?: number
}

/** A bad input that one cell cannot tell. */
export interface FaultCase
  extends Pick<Fault, 'promise' | 'title' | 'calls' | 'mayLoseState' | 'isSlow' | 'mostDelayMs'> {
  run(trial: Trial): Promise<void>
}

export function isData(fault: Fault | FaultCase): fault is Fault {
  return 'code' in fault
}

/** Joins lines, so that Python's indentation stays readable in the tables. */
export function lines(...parts: readonly string[]): string {
  return parts.join('\n')
}
