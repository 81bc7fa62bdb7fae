import { defineExecutor, parseBytes, type SandboxOptions } from '@codeact/sandbox'
import { CodeActError, type Executor } from '@codeact/spec'
import type { PythonLimits } from './start-python.ts'
import { openWasmBackend } from './wasm-backend.ts'

/** The options that all executors share; those that this one cannot honour are refused when a sandbox opens. */
export type WasmOptions = SandboxOptions

const MEMORY = '512m'
const DISK = '512m'
/** Python itself takes some 30 MB. */
const LEAST_MEMORY = 64 * 1024 * 1024
const MOST_MEMORY = 4 * 1024 * 1024 * 1024 - 65_536

const HOME = '/workspace'
const NO_NETWORK = 'WebAssembly has no sockets, and none are given to it'

/** Runs Python on WebAssembly, in a hardened child process. Nothing has to be installed beside this package. */
export function wasm(options: WasmOptions = {}): Executor {
  return defineExecutor({
    name: 'wasm',
    languages: ['python'],
    options,
    unsupported: {
      'network.full': NO_NETWORK,
      'network.allow': NO_NETWORK,
      mounts: 'its files lie in memory; put files into the working directory instead',
      'limits.cpus': 'its one thread takes one processor at most',
      'limits.processes': 'it cannot start processes',
      'limits.files': 'the number of open files is fixed',
      checkpoint: 'state does not survive a killed cell',
    },
    openBackend: async (open) => openWasmBackend(limitsOf(options), open),
  })
}

function limitsOf({ limits = {}, env = {} }: WasmOptions): PythonLimits {
  const maxHeapBytes = parseBytes('wasm', 'limits.memory', limits.memory ?? MEMORY)
  if (maxHeapBytes < LEAST_MEMORY || maxHeapBytes > MOST_MEMORY) {
    throw new CodeActError('OPTION_INVALID', 'wasm(): limits.memory must be from 64m to just below 4g.')
  }
  const maxFileBytes = parseBytes('wasm', 'limits.disk', limits.disk ?? DISK)
  return { maxHeapBytes, maxFileBytes, env: { HOME, USER: 'agent', LANG: 'C.UTF-8', ...env } }
}
