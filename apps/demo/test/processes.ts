import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** Where processes can be seen. */
export const hasProc = process.platform === 'linux'

export interface Process {
  readonly pid: number
  /** Tells it apart from a later one with the same id. */
  readonly startedAt: string
}

/** All processes below one, at this moment. */
export function descendants(root: number): Process[] {
  const all = readdirSync('/proc').flatMap((name) => {
    const stat = /^\d+$/.test(name) ? readStat(Number(name)) : undefined
    return stat === undefined ? [] : [stat]
  })
  const family = new Set([root])
  for (let size = 0; size < family.size; ) {
    size = family.size
    for (const { pid, parent } of all) if (family.has(parent)) family.add(pid)
  }
  family.delete(root)
  return all.filter(({ pid }) => family.has(pid))
}

/** Those of them that still live, after as long as they can need to notice that they should not. */
export async function survivors(processes: readonly Process[]): Promise<Process[]> {
  const alive = () => processes.filter(({ pid, startedAt }) => readStat(pid)?.startedAt === startedAt)
  for (let waited = 0; waited < 5000 && alive().length > 0; waited += 50) await sleep(50)
  return alive()
}

/** Undefined for one that is gone, or only waits to be buried. */
function readStat(pid: number): (Process & { readonly parent: number }) | undefined {
  try {
    // "pid (name) state parent …": the name may hold anything, so count from its closing bracket.
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' ? undefined : { pid, parent: Number(fields[1]), startedAt: String(fields[19]) }
  } catch {
    return undefined
  }
}
