import { execFile } from 'node:child_process'
import { readFile, readlink } from 'node:fs/promises'
import { hostname } from 'node:os'
import { promisify } from 'node:util'

/** Who made a sandbox: one process, in a way that no later process of the same number is taken for it. */
export interface Owner {
  readonly host: string
  /** One start of one machine; undefined where the system tells none. */
  readonly boot: string | undefined
  /** The numbers of processes mean something within one of these only. */
  readonly pidNamespace: string | undefined
  readonly pid: number
  readonly startedAt: string | undefined
}

let own: Promise<Owner> | undefined

/** This process. */
export function thisOwner(): Promise<Owner> {
  own ??= ownerOf(process.pid)
  return own
}

async function ownerOf(pid: number): Promise<Owner> {
  const [boot, pidNamespace, startedAt] = await Promise.all([bootId(), pidNamespaceId(), startOf(pid)])
  return { host: hostname(), boot, pidNamespace, pid, startedAt }
}

/** Undefined for what no owner has written. */
export function parseOwner(label: string | undefined): Owner | undefined {
  try {
    const owner = JSON.parse(label ?? '') as Owner
    return typeof owner.host === 'string' && Number.isInteger(owner.pid) && owner.pid > 0 ? owner : undefined
  } catch {
    return undefined
  }
}

/** Whether it is certain that a process is no more: one of another machine, or of another time of this one, is not judged. */
export async function isGone(owner: Owner): Promise<boolean> {
  const { host, boot, pidNamespace } = await thisOwner()
  if (boot === undefined || owner.boot !== boot || owner.host !== host || owner.pidNamespace !== pidNamespace)
    return false
  if (!isRunning(owner.pid)) return true
  const startedAt = await startOf(owner.pid)
  return startedAt !== undefined && owner.startedAt !== undefined && startedAt !== owner.startedAt
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

const run = promisify(execFile)

/** On macOS by its programs (which no one has tried there); nowhere else than there and on Linux. */
async function bootId(): Promise<string | undefined> {
  if (process.platform === 'darwin') return told('/usr/sbin/sysctl', '-n', 'kern.bootsessionuuid')
  return (await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => undefined))?.trim()
}

function pidNamespaceId(): Promise<string | undefined> {
  return readlink('/proc/self/ns/pid').catch(() => undefined)
}

/** In whatever unit the system counts; it is only compared. */
async function startOf(pid: number): Promise<string | undefined> {
  if (process.platform === 'darwin') return told('/bin/ps', '-o', 'lstart=', '-p', String(pid))
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => undefined)
  // The name of the program, in brackets, can hold anything. Behind it the start is the twentieth field.
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
}

async function told(file: string, ...args: string[]): Promise<string | undefined> {
  const said = await run(file, args, { timeout: 2000, env: { LC_ALL: 'C' } }).catch(() => undefined)
  return said?.stdout.trim() || undefined
}
