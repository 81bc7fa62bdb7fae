import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

/** Every process that can be seen, with its parent. */
export type ProcessTable = ReadonlyMap<number, number>

/** From `/proc`, and from `ps` where there is none, as on macOS; empty where there is neither. At once, and blocking. */
export function processTable(): ProcessTable {
  const table = tableOfProc()
  return table.size > 0 ? table : tableOfPs()
}

function tableOfProc(): ProcessTable {
  const table = new Map<number, number>()
  for (const pid of processIds()) {
    const parent = parentOf(pid)
    if (parent !== undefined) table.set(pid, parent)
  }
  return table
}

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

/** By its full path: the PATH is the user's affair. */
export function tableOfPs(ps = '/bin/ps'): ProcessTable {
  try {
    const lines = execFileSync(ps, ['-axo', 'pid=,ppid='], {
      ...{ encoding: 'latin1', env: {}, timeout: 5000, maxBuffer: 16 * 1024 * 1024 },
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    return new Map(lines.split('\n').flatMap(rowOf))
  } catch {
    return new Map()
  }
}

function rowOf(line: string): [pid: number, parent: number][] {
  const [, pid, parent] = /^\s*(\d+)\s+(\d+)\s*$/.exec(line) ?? []
  return pid === undefined ? [] : [[Number(pid), Number(parent)]]
}
