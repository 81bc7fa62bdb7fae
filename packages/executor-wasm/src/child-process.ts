import { type ChildProcess, spawn } from 'node:child_process'
import { join, parse, sep } from 'node:path'
import type { Installation } from './installation.ts'

/** What the child is told first; see `child/main.mjs`. */
export interface ChildSettings {
  readonly task: 'run' | 'make-snapshot'
  readonly maxHeapBytes: number
  readonly maxFileBytes: number
  /** The key of the snapshot to load or to make. */
  readonly snapshot?: string
  readonly env: Readonly<Record<string, string>>
}

/** Where things are in the child's `stdio`, beside its standard input and output that carry frames. */
export const INTERRUPTS = 3

/** JavaScript's stack in kilobytes, of the 8 MB that the main thread has on Linux and macOS. Python recurses on it. */
const STACK_KB = 3900

/**
 * Starts the process that Python runs in: without the host's environment, in a process group of its own, unable to read
 * files outside its own folders, to write any, or to start a process. `snapshot` is the descriptor of an open file.
 */
export function startChild(
  installation: Installation,
  settings: ChildSettings,
  snapshot: number | 'ignore',
): ChildProcess {
  const child = spawn(process.execPath, [...flags(installation), join(installation.child, 'main.mjs')], {
    env: {},
    cwd: parse(installation.child).root,
    detached: true,
    windowsHide: true,
    stdio: ['pipe', 'pipe', 'pipe', 'pipe', snapshot],
  })
  // Writing to a process that has just ended fails; that it has ended is seen elsewhere.
  for (const stream of child.stdio) stream?.on('error', () => {})
  const { pyodide, kernel } = installation
  child.stdin?.write(withLength(Buffer.from(JSON.stringify({ ...settings, pyodide, kernel }))))
  return child
}

function flags({ child, pyodide, kernel }: Installation): string[] {
  const hasStablePermissions = process.allowedNodeEnvironmentFlags.has('--permission')
  return [
    hasStablePermissions ? '--permission' : '--experimental-permission',
    ...[child, pyodide, kernel].map((folder) => `--allow-fs-read=${folder}${sep}`),
    '--allow-worker', // The thread that watches for interrupts.
    '--disallow-code-generation-from-strings',
    '--no-addons',
    '--no-warnings',
    ...(process.platform === 'win32' ? [] : [`--stack-size=${STACK_KB}`]),
  ]
}

function withLength(bytes: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32LE(bytes.length)
  return Buffer.concat([length, bytes])
}
