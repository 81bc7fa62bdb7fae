import { type ProcessTable, processTable } from './process-table.ts'

/**
 * Kills a process, its group, and every descendant that can be found, at once. `endsAll`: what is in it dies with it anyway, and
 * not every process of the machine need be looked at.
 */
export function killTree(pid: number | undefined, endsAll = false): void {
  if (pid === undefined) return
  const targets = [-pid, ...(endsAll ? [] : descendants(pid, processTable()))]
  for (const target of targets) {
    try {
      process.kill(target, 'SIGKILL')
    } catch {
      // It is gone already.
    }
  }
}

function descendants(root: number, table: ProcessTable): number[] {
  const children = new Map<number, number[]>()
  for (const [pid, parent] of table) children.set(parent, [...(children.get(parent) ?? []), pid])
  const found: number[] = []
  for (const queue = [root]; queue.length > 0; ) {
    const next = children.get(queue.pop() as number) ?? []
    found.push(...next)
    queue.push(...next)
  }
  return found
}
