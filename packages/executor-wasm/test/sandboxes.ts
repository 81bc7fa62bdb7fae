import type { OpenOptions, Sandbox } from '@codeact/spec'
import { afterEach } from 'vitest'
import { type WasmOptions, wasm } from '../src/index.ts'

const open: Sandbox[] = []

afterEach(() => Promise.all(open.splice(0).map((sandbox) => sandbox.close())))

/** A sandbox that is closed after the test. */
export async function openSandbox(options: WasmOptions = {}, more: OpenOptions = {}): Promise<Sandbox> {
  const sandbox = await wasm(options).open(more)
  open.push(sandbox)
  return sandbox
}

/** The text of the value that code ends in; of an error, its last line. */
export async function evaluate(sandbox: Sandbox, code: string): Promise<string | undefined> {
  const { value, error } = await sandbox.execute(code)
  return value?.['text/plain'] ?? error?.traceback.trimEnd().split('\n').at(-1)
}
