import { describe } from 'vitest'
import type { ExecutorSuite } from './describe-executor.ts'
import { Subject } from './executor/subject.ts'
import { CONTROL_FLOW } from './faults/control-flow.ts'
import { EXHAUSTION } from './faults/exhaustion.ts'
import type { Fault, FaultCase } from './faults/fault.ts'
import { FILES } from './faults/files.ts'
import type { HostLeniency } from './faults/host-watch.ts'
import { INTERFERENCE } from './faults/interference.ts'
import { LIFETIME } from './faults/lifetime.ts'
import { type Leftovers, Oracles } from './faults/oracles.ts'
import { OUTPUT } from './faults/output.ts'
import { TAMPERING } from './faults/tampering.ts'
import { TOOL_CALLS } from './faults/tool-calls.ts'
import { VALUES } from './faults/values.ts'
import type { Requirement } from './requirement.ts'

export interface FaultSuite extends ExecutorSuite {
  /** Tells what is left on the machine; asked before and after each case. Default: nobody looks. */
  readonly leftovers?: Leftovers
  /** What the cases that take more than some five seconds depend on, such as `onRequest('slow')`. Default: they run. */
  readonly slow?: Requirement
  /** Default: none. What it is needed for belongs into the adapter's README. */
  readonly leniency?: HostLeniency
  /** The parts to run. Default: all of them. */
  readonly parts?: readonly FaultPart[]
}

export type FaultPart = keyof typeof PARTS

/**
 * What code does to a sandbox by mistake or on purpose, each with what must come of it. After each case: the host stayed
 * responsive and its memory bounded; the cell was settled in time, with a typed outcome; a sandbox beside it still answers;
 * this one works on or says that it cannot, and a new one works; no secret came out; nothing is left.
 */
export function describeFaults({ name, create, gate, leftovers, slow, leniency, parts = ALL }: FaultSuite): void {
  const title = gate?.isMet === false ? `${name} (skipped: ${gate.reason})` : name
  describe.skipIf(gate?.isMet === false)(`faults: ${title}`, () => {
    const oracles = new Oracles(new Subject(create), create, leftovers, leniency)
    for (const part of parts) {
      describe(part, () => {
        for (const fault of PARTS[part]) oracles.case(fault, slow)
      })
    }
  })
}

const PARTS = {
  exhaustion: EXHAUSTION,
  output: OUTPUT,
  values: VALUES,
  tampering: TAMPERING,
  'tool calls': TOOL_CALLS,
  'control flow': CONTROL_FLOW,
  lifetime: LIFETIME,
  interference: INTERFERENCE,
  files: FILES,
} as const satisfies Record<string, readonly (Fault | FaultCase)[]>

const ALL = Object.keys(PARTS) as FaultPart[]
