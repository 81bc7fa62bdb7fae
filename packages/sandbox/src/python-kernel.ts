import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** In the order in which they import each other. */
const KERNEL = [
  ...['values', 'tools', 'figures', 'bundles', 'tracebacks', 'variables', 'cells', 'upkeep', 'event_loop'],
  ...['frames', 'wire', 'transport', 'waiting', 'descriptors', 'interrupts', 'kernel'],
]
const SUPERVISOR = ['files', 'confine', 'oom', 'sweep', 'kernel_process', 'supervisor']
const LINK = ['lines', 'link']

/** What a program is started with, `[interpreter, …arguments]`, and what is written to its channel before the first frame. */
export interface PythonStart {
  readonly arguments: readonly string[]
  readonly input: Uint8Array
}

/** The folder of the Python kernel's modules. */
export function pythonKernelFolder(): string {
  return fileURLToPath(new URL('../kernels/python', import.meta.url))
}

/** A kernel, with its channel on descriptor 3. `compiled` are its modules, as an interpreter of the same version marshals them. */
export function pythonKernelStart(compiled: Uint8Array): PythonStart {
  return startOn(3, compiled)
}

/**
 * A supervisor, which talks over descriptors 0 and 1 and starts kernels: for a place that has one stream in and one out. It takes
 * any interpreter, and must be alone with what it starts: to kill a cell is to kill every process but this one and the first.
 */
export function pythonSupervisorStart(): PythonStart {
  return startOn(0, Buffer.from(sources([...KERNEL, ...SUPERVISOR]), 'utf8'))
}

/**
 * A supervisor behind a link, for a place that is reached over a connection that may break, and that it shares with others. `input`
 * is what the file `modules` in the folder must hold, which the link keeps its own files in.
 */
export function pythonLinkStart(folder: string): PythonStart {
  const input = Buffer.from(sources([...KERNEL, ...SUPERVISOR, ...LINK]), 'utf8')
  return { arguments: ['-I', '-S', '-c', read('boot'), 'link', folder], input }
}

/** The kernel's modules as JSON, `{ modules: [[name, source], …] }`, to be compiled. */
export function pythonModules(): string {
  return sources(KERNEL)
}

function startOn(channel: number, input: Uint8Array): PythonStart {
  return { arguments: ['-I', '-S', '-c', read('boot'), String(channel), String(input.length)], input }
}

function sources(names: readonly string[]): string {
  return JSON.stringify({ modules: names.map((name) => [name, read(name)]) })
}

function read(name: string): string {
  return readFileSync(join(pythonKernelFolder(), `${name}.py`), 'utf8')
}
