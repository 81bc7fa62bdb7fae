import {
  type CompiledModules,
  type PythonStart,
  pythonKeptKernelStart,
  pythonKernelStart,
  pythonModules,
  pythonTwinModules,
  pythonTwinStart,
} from '@codeact/sandbox'
import { CodeActError } from '@codeact/spec'
import { execa } from 'execa'

/** A Python that was found, by its real paths: a version manager's shim would cost its time at every start. */
export interface Interpreter {
  readonly path: string
  readonly version: string
  /** The folders that hold the interpreter and its library. */
  readonly prefixes: readonly string[]
  /**
   * Starts the kernel, compiled by this interpreter: that takes a good part of a start, and is done once. With checkpoints up to
   * so many bytes it is a keeper and the kernel.
   */
  start(checkpointBytes: number | undefined): PythonStart
  /** Starts the supervisor of a fork. From the second on it is compiled: whoever asks for the first one does not wait for that. */
  startOfFork(): PythonStart
}

const COMPILED = `
import base64, json, marshal, sys
def compiled(modules):
    code = marshal.dumps([(name, compile(source, "codeact/%s.py" % name, "exec")) for name, source in modules["modules"]])
    return base64.b64encode(code).decode()
`

const QUESTION = `${COMPILED}
import os, platform
paths = {os.path.realpath(p) for p in (sys.prefix, sys.base_prefix, sys.exec_prefix)}
base = os.path.realpath(sys.executable)
modules = json.load(sys.stdin)
print(json.dumps({
    "path": sys.executable,
    "version": platform.python_version(),
    "prefixes": sorted(paths | {os.path.dirname(os.path.dirname(base))}),
    "compiled": {name: compiled(json.loads(modules[name])) for name in modules},
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
  const { stdout } = await execa(python, ['-I', '-c', QUESTION], {
    input: JSON.stringify(pythonModules()),
    timeout: 20_000,
  }).catch((error) => {
    throw new CodeActError('EXECUTOR_UNAVAILABLE', `local() found no Python: ${python} cannot be run.`, {
      hint: `Install Python 3.${OLDEST_MINOR} or newer, name one with local({ python: '/path/to/python3' }), or use wasm(), which needs none.`,
      cause: error,
    })
  })
  const answer = JSON.parse(stdout) as Omit<Interpreter, 'start' | 'startOfFork'> & {
    compiled: Record<keyof CompiledModules, string>
  }
  if (Number(answer.version.split('.')[1]) < OLDEST_MINOR) {
    throw new CodeActError(
      'EXECUTOR_UNAVAILABLE',
      `local() needs Python 3.${OLDEST_MINOR} or newer; ${answer.path} is ${answer.version}.`,
    )
  }
  const { compiled, ...interpreter } = answer
  return { ...interpreter, start: starts(compiled), startOfFork: startsOfForks(interpreter.path) }
}

function startsOfForks(path: string): Interpreter['startOfFork'] {
  let known: PythonStart | undefined
  return () => {
    if (known !== undefined) return known
    const start = pythonTwinStart()
    known = start
    const compile = execa(path, ['-I', '-c', `${COMPILED}print(compiled(json.load(sys.stdin)))`], {
      input: pythonTwinModules(),
    })
    compile.then(
      ({ stdout }) => {
        known = pythonTwinStart(Buffer.from(stdout, 'base64'))
      },
      () => {}, // The sources do as well.
    )
    return start
  }
}

/** Each is made once, and given to every kernel: its input is long. */
function starts(base64: Record<keyof CompiledModules, string>): Interpreter['start'] {
  const entries = Object.entries(base64).map(([name, text]) => [name, Buffer.from(text, 'base64')])
  const compiled = Object.fromEntries(entries) as CompiledModules
  const known = new Map<number | undefined, PythonStart>()
  return (bytes) => {
    const start =
      known.get(bytes) ?? (bytes === undefined ? pythonKernelStart(compiled) : pythonKeptKernelStart(compiled, bytes))
    known.set(bytes, start)
    return start
  }
}
