import { readlinkSync } from 'node:fs'

/** How names begin of what this process leaves on the machine while it lives. */
export function ownName(): string {
  return `${nameOf(process.pid)}-`
}

/** Whether a process has left it that no longer lives. One of another container is not judged: its ids mean nothing here. */
export function isLeftover(name: string): boolean {
  const pid = new RegExp(`^${nameOf('(\\d+)')}-`).exec(name)?.[1]
  return pid !== undefined && !isAlive(Number(pid))
}

function nameOf(pid: number | string): string {
  return `codeact-${processNamespace()}-${pid}`
}

function processNamespace(): string {
  try {
    return /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? 'host'
  } catch {
    return 'host'
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
