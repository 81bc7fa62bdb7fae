import { readdirSync, readFileSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pythonKernelFolder } from '@codeact/sandbox'
import { CodeActError } from '@codeact/spec'

/** The folders that Python's process reads from, by their real paths. */
export interface Installation {
  readonly pyodide: string
  readonly kernel: string
  readonly child: string
}

/** The one that the child's patches know. */
const PYODIDE = '314.0.7'

/** Finds what belongs to this executor. Throws `EXECUTOR_UNAVAILABLE` where Pyodide is missing, or is another one. */
export function findInstallation(): Installation {
  const { folder, version } = findPyodide()
  if (version !== PYODIDE) throw unavailable(`it needs Pyodide ${PYODIDE}, and found ${version ?? 'none'}`)
  const child = fileURLToPath(new URL('../child', import.meta.url))
  return { pyodide: realpathSync(folder), kernel: realpathSync(pythonKernelFolder()), child: realpathSync(child) }
}

/**
 * What goes into a snapshot: where a part of it changes, an old snapshot is of no use. Python's memory holds places in a
 * table of functions, which comes out differently with what V8 can do.
 */
export function snapshotSources({ kernel, child }: Installation): string[] {
  const folders = [kernel, child, join(child, 'inside'), join(child, 'python')]
  const files = folders.flatMap((folder) =>
    readdirSync(folder)
      .sort()
      .map((name) => join(folder, name)),
  )
  return [
    PYODIDE,
    process.versions.v8,
    ...files.filter((file) => /\.(py|mjs)$/.test(file)).map((file) => readFileSync(file, 'utf8')),
  ]
}

function findPyodide(): { folder: string; version: string | undefined } {
  try {
    const file = createRequire(import.meta.url).resolve('pyodide/package.json')
    return { folder: dirname(file), version: (JSON.parse(readFileSync(file, 'utf8')) as { version?: string }).version }
  } catch {
    return { folder: '', version: undefined }
  }
}

function unavailable(why: string): CodeActError {
  return new CodeActError('EXECUTOR_UNAVAILABLE', `wasm() cannot run: ${why}.`, {
    hint: `Type: npm install pyodide@${PYODIDE}`,
  })
}
