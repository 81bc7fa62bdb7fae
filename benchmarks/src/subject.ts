import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { local } from '@codeact/executor-local'
import type { Sandbox, Tool } from '@codeact/spec'

let found: Promise<string> | undefined

/** The interpreter itself, and not a version manager's shim in front of it: ours and the floor run the same one. */
export function python(): Promise<string> {
  found ??= find()
  return found
}

async function find(): Promise<string> {
  const { stdout } = await promisify(execFile)('python3', ['-I', '-c', 'import sys; print(sys.executable)'])
  return stdout.trim()
}

/** `local()` as its users have it, or without checkpoints. */
export async function openLocal(tools: readonly Tool[] = [], checkpoint = true): Promise<Sandbox> {
  return local({ python: await python(), timeoutMs: 600_000, checkpoint }).open({ tools })
}
