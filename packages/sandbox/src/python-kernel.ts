import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** In the order in which they import each other. */
const MODULES = [
  ...['values', 'tools', 'figures', 'bundles', 'tracebacks', 'variables', 'cells', 'upkeep', 'event_loop'],
  ...['frames', 'wire', 'transport', 'waiting', 'descriptors', 'interrupts', 'kernel'],
]

/** The folder of the Python kernel's modules. */
export function pythonKernelFolder(): string {
  return fileURLToPath(new URL('../kernels/python', import.meta.url))
}

/**
 * What starts the Python kernel, wherever there is an interpreter: `python3 -I -S -c <boot> <bytes>` with the kernel's channel on
 * descriptor 3, and before the first frame as many bytes on it, which are its modules.
 */
export function pythonBoot(): string {
  return read('boot')
}

/** The kernel's modules as boot takes them from any interpreter: JSON, `{ modules: [[name, source], …] }`. */
export function pythonModules(): string {
  return JSON.stringify({ modules: MODULES.map((name) => [name, read(name)]) })
}

function read(name: string): string {
  return readFileSync(join(pythonKernelFolder(), `${name}.py`), 'utf8')
}
