import { readdirSync, readFileSync } from 'node:fs'
import { processTable } from '../process-table.ts'

/** A process as `/proc` tells of it. */
export interface ProcessInfo {
  readonly pid: number
  readonly parent: number
  /** Its process group. */
  readonly group: number
  readonly threads: number
  /** Bytes in memory, those that it shares with others included. */
  readonly resident: number
  /** Whether it is deaf to every signal: so a copy of a kernel waits until its keeper wakes it. */
  readonly isDeaf: boolean
}

/** SIGKILL and SIGSTOP, which nobody can block. */
const UNBLOCKABLE = (1n << 8n) | (1n << 18n)
const ORDINARY = (1n << 31n) - 1n - UNBLOCKABLE

/** A process and all that descend from it, those that have ended left out. */
export function processTree(root: number): ProcessInfo[] {
  const found: ProcessInfo[] = []
  const pids = [root]
  for (let pid = pids.pop(); pid !== undefined; pid = pids.pop()) {
    const info = processInfo(pid)
    if (info === undefined) continue
    found.push(info)
    pids.push(...childrenOf(pid))
  }
  return found
}

/** Undefined for one that has ended. */
export function processInfo(pid: number): ProcessInfo | undefined {
  const status = read(`/proc/${pid}/status`) ?? ''
  const field = (name: string): string => new RegExp(`^${name}:\\s+(\\w+)`, 'm').exec(status)?.[1] ?? '0'
  if (status === '' || ['Z', 'X'].includes(field('State'))) return undefined
  return {
    pid,
    parent: Number(field('PPid')),
    group: Number(field('NSpgid')),
    threads: Number(field('Threads')),
    resident: Number(field('VmRSS')) * 1024,
    isDeaf: (BigInt(`0x${field('SigBlk')}`) & ORDINARY) === ORDINARY,
  }
}

/** Whether the system tells a process's children; a few are built without that. */
const TELLS_CHILDREN = read(`/proc/self/task/${process.pid}/children`) !== undefined

export function childrenOf(pid: number): number[] {
  if (!TELLS_CHILDREN) return [...processTable()].flatMap(([child, parent]) => (parent === pid ? [child] : []))
  const lists = threadsOf(pid).map((thread) => read(`/proc/${pid}/task/${thread}/children`) ?? '')
  return lists.flatMap((list) => list.split(' ').map(Number).filter(Boolean))
}

function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`)
  } catch {
    return []
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return undefined
  }
}
