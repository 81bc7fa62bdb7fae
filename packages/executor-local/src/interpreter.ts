import { type PythonStart, pythonKernelStart, pythonModules } from '@codeact/sandbox'
import { CodeActError } from '@codeact/spec'
import { execa } from 'execa'

/** A Python that was found, by its real paths: a version manager's shim would cost its time at every start. */
export interface Interpreter {
  readonly path: string
  readonly version: string
  /** The folders that hold the interpreter and its library. */
  readonly prefixes: readonly string[]
  /** Starts the kernel, compiled by this interpreter: that takes a good part of a start, and is done once. */
  readonly start: PythonStart
}

const QUESTION = `
import base64, json, marshal, os, platform, sys
paths = {os.path.realpath(p) for p in (sys.prefix, sys.base_prefix, sys.exec_prefix)}
base = os.path.realpath(sys.executable)
modules = json.loads(sys.stdin.buffer.read())["modules"]
kernel = marshal.dumps([(name, compile(source, "codeact/%s.py" % name, "exec")) for name, source in modules])
print(json.dumps({
    "path": sys.executable,
    "version": platform.python_version(),
    "prefixes": sorted(paths | {os.path.dirname(os.path.dirname(base))}),
    "kernel": base64.b64encode(kernel).decode(),
}))
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
  const { stdout } = await execa(python, ['-I', '-c', QUESTION], { input: pythonModules(), timeout: 20_000 }).catch(
    (error) => {
      throw new CodeActError('EXECUTOR_UNAVAILABLE', `local() found no Python: ${python} cannot be run.`, {
        hint: `Install Python 3.${OLDEST_MINOR} or newer, name one with local({ python: '/path/to/python3' }), or use wasm(), which needs none.`,
        cause: error,
      })
    },
  )
  const answer = JSON.parse(stdout) as Omit<Interpreter, 'start'> & { kernel: string }
  if (Number(answer.version.split('.')[1]) < OLDEST_MINOR) {
    throw new CodeActError(
      'EXECUTOR_UNAVAILABLE',
      `local() needs Python 3.${OLDEST_MINOR} or newer; ${answer.path} is ${answer.version}.`,
    )
  }
  const { kernel, ...interpreter } = answer
  return { ...interpreter, start: pythonKernelStart(Buffer.from(kernel, 'base64')) }
}
