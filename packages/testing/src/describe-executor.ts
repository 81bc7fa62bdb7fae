import type { Executor } from '@codeact/spec'
import { beforeEach, describe } from 'vitest'
import { archiveCases } from './executor/archive-cases.ts'
import { checkpointCases } from './executor/checkpoint-cases.ts'
import { crashCases } from './executor/crash-cases.ts'
import { errorCases } from './executor/error-cases.ts'
import { eventCases } from './executor/event-cases.ts'
import { fileCases } from './executor/file-cases.ts'
import { forkCases } from './executor/fork-cases.ts'
import { inspectCases } from './executor/inspect-cases.ts'
import { isolationCases } from './executor/isolation-cases.ts'
import { lifetimeCases } from './executor/lifetime-cases.ts'
import { limitCases } from './executor/limit-cases.ts'
import { namedCheckpointCases } from './executor/named-checkpoint-cases.ts'
import { outputCases } from './executor/output-cases.ts'
import { poolCases } from './executor/pool-cases.ts'
import { stateCases } from './executor/state-cases.ts'
import { Subject, skipWithoutPython } from './executor/subject.ts'
import { timeoutCases } from './executor/timeout-cases.ts'
import { toolCases } from './executor/tool-cases.ts'
import { toolTypeCases } from './executor/tool-type-cases.ts'
import { valueCases } from './executor/value-cases.ts'
import type { Requirement } from './requirement.ts'

/** The options that the suite sets; each means the same in every executor. */
export interface SuiteOptions {
  readonly timeoutMs?: number
  readonly setup?: Readonly<Record<string, string>>
  readonly limits?: {
    readonly memory?: string
    readonly cpus?: number
    readonly processes?: number
    readonly files?: number
    readonly disk?: string
    readonly output?: number
  }
  readonly pool?: { readonly size: number }
  readonly checkpoint?: boolean | { readonly upTo: number | string }
}

export interface ExecutorSuite {
  readonly name: string
  /** A new executor with these options, and otherwise as its users have it. */
  create(options: SuiteOptions): Executor
  /** What the executor needs on the machine; the whole suite is skipped by that name where it is missing. */
  readonly gate?: Requirement
}

/**
 * The contract of every executor, promise by promise, on a real sandbox, said in Python. A promise that the executor itself declares it does
 * not keep (`capabilities.exceptions`) is skipped with the reason it gives.
 */
export function describeExecutor({ name, create, gate }: ExecutorSuite): void {
  const title = gate?.isMet === false ? `${name} (skipped: ${gate.reason})` : name
  describe.skipIf(gate?.isMet === false)(title, () => {
    const subject = new Subject(create)
    beforeEach((test) => skipWithoutPython(test, subject.executor().languages[0]))
    for (const cases of ALL) cases(subject)
  })
}

const ALL = [
  stateCases,
  inspectCases,
  valueCases,
  outputCases,
  errorCases,
  toolCases,
  toolTypeCases,
  timeoutCases,
  crashCases,
  checkpointCases,
  namedCheckpointCases,
  forkCases,
  limitCases,
  isolationCases,
  fileCases,
  archiveCases,
  eventCases,
  lifetimeCases,
  poolCases,
]
