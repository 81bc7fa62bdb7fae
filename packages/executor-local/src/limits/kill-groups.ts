import { isForkSupervisor } from '../fork.ts'
import type { ProcessInfo } from './process-tree.ts'

/**
 * Kills the process groups that the code is in, each at once: who starts others faster than those could be killed one by one does not
 * get away. The keeper's own stays, those of copies, which are deaf, and those of the supervisors of forks; what is left is for them to
 * find.
 */
export function killGroups(keeper: number, processes: readonly ProcessInfo[]): void {
  for (const [group, members] of grouped(processes)) {
    const isSpared =
      members.every(({ isDeaf }) => isDeaf) || members.some(({ pid }) => pid === keeper || isForkSupervisor(pid))
    if (!isSpared) kill(group)
  }
}

function grouped(processes: readonly ProcessInfo[]): ReadonlyMap<number, readonly ProcessInfo[]> {
  const groups = new Map<number, ProcessInfo[]>()
  for (const one of processes) {
    const members = groups.get(one.group)
    if (members === undefined) groups.set(one.group, [one])
    else members.push(one)
  }
  return groups
}

function kill(group: number): void {
  try {
    if (group > 1) process.kill(-group, 'SIGKILL')
  } catch {
    // It is gone already.
  }
}
