import { CodeActError } from '@codeact/spec'
import { execa } from 'execa'

/** A Python that was found, by its real paths: a version manager's shim would cost its time at every start. */
export interface Interpreter {
  readonly path: string
  readonly version: string
  /** The folders that hold the interpreter and its library. */
  readonly prefixes: readonly string[]
}

const QUESTION = `
import json, os, platform, sys
paths = {os.path.realpath(p) for p in (sys.prefix, sys.base_prefix, sys.exec_prefix)}
base = os.path.realpath(sys.executable)
print(json.dumps([sys.executable, platform.python_version(), sorted(paths | {os.path.dirname(os.path.dirname(base))})]))
`

const OLDEST_MINOR = 9

const found = new Map<string, Promise<Interpreter>>()

/** Asks an interpreter for its real place, once per process. Throws `EXECUTOR_UNAVAILABLE` where there is none. */
export function findInterpreter(python: string): Promise<Interpreter> {
  const known = found.get(python) ?? ask(python)
  found.set(python, known)
  known.catch(() => found.delete(python))
  return known
}

async function ask(python: string): Promise<Interpreter> {
  const { stdout } = await execa(python, ['-I', '-c', QUESTION], { stdin: 'ignore', timeout: 20_000 }).catch(
    (error) => {
      throw new CodeActError('EXECUTOR_UNAVAILABLE', `local() found no Python: ${python} cannot be run.`, {
        hint: `Install Python 3.${OLDEST_MINOR} or newer, name one with local({ python: '/path/to/python3' }), or use wasm(), which needs none.`,
        cause: error,
      })
    },
  )
  const [path, version, prefixes] = JSON.parse(stdout) as [string, string, string[]]
  if (Number(version.split('.')[1]) < OLDEST_MINOR) {
    throw new CodeActError(
      'EXECUTOR_UNAVAILABLE',
      `local() needs Python 3.${OLDEST_MINOR} or newer; ${path} is ${version}.`,
    )
  }
  return { path, version, prefixes }
}
