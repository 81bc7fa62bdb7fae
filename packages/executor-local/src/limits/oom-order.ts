import { writeFileSync } from 'node:fs'
import { isForkSupervisor } from '../fork.ts'
import type { ProcessInfo } from './process-tree.ts'

/** Of a process, in the order of what is wanted: less than 0 is for root to give. */
type Badness = readonly number[]

const KERNEL: Badness = [1000]
const COPY: Badness = [-999, 0]
const KEEPER: Badness = [-1000, 0]

/**
 * Who is to die where memory runs out: of the kernel and all that it starts the largest. Its keeper comes last, and its copies, which
 * wait for just that. It is the host that says so: code must not write to `/proc`.
 */
export class OomOrder {
  #told: ReadonlyMap<number, Badness> = new Map()

  arrange(keeper: number, processes: readonly ProcessInfo[]): void {
    const wanted = new Map([[keeper, KEEPER]])
    const supervisors = supervisorsBelow(keeper, processes)
    for (const pid of [keeper, ...supervisors]) {
      for (const one of processes) if (one.parent === pid) wanted.set(one.pid, one.isDeaf ? COPY : KERNEL)
    }
    for (const pid of supervisors) wanted.set(pid, COPY)
    for (const [pid, badness] of wanted) if (this.#told.get(pid) !== badness) tell(pid, badness)
    this.#told = wanted
  }
}

/** Those of forks, and of theirs. */
function supervisorsBelow(keeper: number, processes: readonly ProcessInfo[]): number[] {
  const direct = processes.flatMap(({ parent, pid }) => (parent === keeper && isForkSupervisor(pid) ? [pid] : []))
  return direct.flatMap((pid) => [pid, ...supervisorsBelow(pid, processes)])
}

function tell(pid: number, badness: Badness): void {
  for (const one of badness) {
    try {
      writeFileSync(`/proc/${pid}/oom_score_adj`, String(one))
      return
    } catch {
      // It may be too little for us to give, or there is nobody any more.
    }
  }
}
