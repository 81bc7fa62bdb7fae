import type { Sandbox } from '@codeact/spec'

/** The text of what code ends in, or of its error. */
export async function evaluate(sandbox: Sandbox, code: string): Promise<string | undefined> {
  const { value, error } = await sandbox.execute(code)
  return value?.['text/plain'] ?? error?.traceback
}
