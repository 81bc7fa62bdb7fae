import type { ChildProcess } from 'node:child_process'
import { Socket } from 'node:net'

/** Whether a child process, and the pipes to it, keep this process alive. A child does from its start. */
export function keepAlive(child: Pick<ChildProcess, 'ref' | 'unref' | 'stdio'>, isKept: boolean): void {
  for (const one of [child, ...child.stdio.filter((stream) => stream instanceof Socket)]) {
    if (isKept) one.ref()
    else one.unref()
  }
}
