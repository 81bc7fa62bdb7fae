import { describe } from 'vitest'
import type { FaultSuite } from './describe-faults.ts'
import { Subject } from './executor/subject.ts'
import { Oracles } from './faults/oracles.ts'
import { NETWORK } from './isolation/network.ts'
import { PROCESSES } from './isolation/processes.ts'
import { SECRETS } from './isolation/secrets.ts'
import { START } from './isolation/start.ts'

export type IsolationSuite = Omit<FaultSuite, 'slow'>

/**
 * What code does to get out of a sandbox, or to learn what the host knows; after each attempt the same is asked as in
 * `describeFaults()`. For sandboxes on Linux: the attempts are made through `/proc` and system calls.
 */
export function describeIsolation({ name, create, gate, leftovers }: IsolationSuite): void {
  const title = gate?.isMet === false ? `${name} (skipped: ${gate.reason})` : name
  describe.skipIf(gate?.isMet === false)(`isolation: ${title}`, () => {
    const oracles = new Oracles(new Subject(create), create, leftovers)
    for (const [part, cases] of Object.entries({
      secrets: SECRETS,
      processes: PROCESSES,
      network: NETWORK,
      start: START,
    })) {
      describe(part, () => {
        for (const one of cases) oracles.case(one)
      })
    }
  })
}
