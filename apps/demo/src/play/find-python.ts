import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)
const LONGEST_MS = 20_000

/** The first of these interpreters that has the module, asked as the sandbox runs it: without the user's own packages. */
export async function findPython(
  module: string,
  candidates: readonly string[],
  signal: AbortSignal,
): Promise<string | undefined> {
  for (const python of candidates) {
    const hasIt = await run(python, ['-I', '-c', `import ${module}`], { signal, timeout: LONGEST_MS }).then(
      () => true,
      () => false,
    )
    if (hasIt) return python
  }
  return undefined
}
