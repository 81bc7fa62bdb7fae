import { readdirSync, readFileSync } from 'node:fs'

/** What can be seen of processes, where there is a `/proc`. */
export const canSeeProcesses = process.platform === 'linux'

/** The processes that came from one, directly or not. */
export function descendants(root: number): number[] {
  const parents = new Map(
    readdirSync('/proc')
      .map(Number)
      .filter(Boolean)
      .map((pid) => [pid, Number(stat(pid)[1])]),
  )
  const found = [root]
  for (const pid of found) for (const [child, parent] of parents) if (parent === pid) found.push(child)
  return found.slice(1)
}

/** Those of the processes that still run, after they were given some time to end. */
export async function survivors(pids: readonly number[]): Promise<number[]> {
  for (let tries = 0; tries < 40 && pids.some(isRunning); tries++)
    await new Promise((resolve) => setTimeout(resolve, 50))
  return pids.filter(isRunning)
}

export function readProcess(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1')
  } catch {
    return ''
  }
}

/** State, parent and so on: the fields after the name. */
function stat(pid: number): string[] {
  const text = readProcess(pid, 'stat')
  return text.slice(text.lastIndexOf(')') + 2).split(' ')
}

/** A zombie is dead; who reaps it is not our affair. */
function isRunning(pid: number): boolean {
  return !['', 'Z'].includes(stat(pid)[0] ?? '')
}
