import { readdirSync, readFileSync } from 'node:fs'

/**
 * Kills a process, its group, and every descendant that can be found, at once. What bubblewrap started dies with it anyway;
 * this is for processes that have nothing around them.
 */
export function killTree(pid: number | undefined): void {
  if (pid === undefined) return
  const targets = [-pid, ...descendants(pid)]
  for (const target of targets) {
    try {
      process.kill(target, 'SIGKILL')
    } catch {
      // It is gone already.
    }
  }
}

function descendants(root: number): number[] {
  const children = childrenByParent()
  const found: number[] = []
  for (const queue = [root]; queue.length > 0; ) {
    const next = children.get(queue.pop() as number) ?? []
    found.push(...next)
    queue.push(...next)
  }
  return found
}

function childrenByParent(): Map<number, number[]> {
  const children = new Map<number, number[]>()
  for (const pid of processIds()) {
    const parent = parentOf(pid)
    if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), pid])
  }
  return children
}

/** Empty where there is no `/proc`. */
function processIds(): number[] {
  try {
    return readdirSync('/proc')
      .map(Number)
      .filter((pid) => pid > 0)
  } catch {
    return []
  }
}

function parentOf(pid: number): number | undefined {
  try {
    // "pid (name) state ppid …": the name may hold anything, so count from its closing bracket.
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
  } catch {
    return undefined
  }
}
