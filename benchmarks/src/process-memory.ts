import { readdirSync, readFileSync } from 'node:fs'
import { NotMeasured } from './row.ts'

const HINT = 'how much memory a process has is told by Linux, to root. Run it there: sudo npm run bench -- memory'

/** The processes that a process has started and that still live, each with all that it has started itself. */
export function startedBy(pid: number): readonly (readonly number[])[] {
  const children = childrenByParent()
  return (children.get(pid) ?? []).map((child) => family(child, children))
}

/** A process and all that descend from it. */
export function family(root: number, children = childrenByParent()): readonly number[] {
  return [root, ...(children.get(root) ?? []).flatMap((child) => family(child, children))]
}

/** Kilobytes that processes have: PSS, in which what several share is divided among them. */
export function kilobytes(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + shareOf(pid), 0)
}

function shareOf(pid: number): number {
  const found = /^Pss:\s+(\d+) kB$/m.exec(textOf(`/proc/${pid}/smaps_rollup`))?.[1]
  if (found === undefined) throw new NotMeasured(HINT)
  return Number(found)
}

function childrenByParent(): ReadonlyMap<number, readonly number[]> {
  const children = new Map<number, number[]>()
  for (const pid of processIds()) {
    const stat = textOf(`/proc/${pid}/stat`)
    // "pid (name) state ppid …": the name may hold anything, so count from its closing bracket.
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
    children.set(parent, [...(children.get(parent) ?? []), pid])
  }
  return children
}

function processIds(): number[] {
  try {
    return readdirSync('/proc')
      .map(Number)
      .filter((pid) => pid > 0)
  } catch {
    throw new NotMeasured(HINT)
  }
}

/** Empty where the process has ended meanwhile, or is none of ours. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}
