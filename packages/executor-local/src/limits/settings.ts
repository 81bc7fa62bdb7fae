import { numberFrom, parseBytes, wholeFrom } from '@codeact/sandbox'
import { CodeActError } from '@codeact/spec'
import type { LocalOptions } from '../local.ts'

/** What a sandbox may use, of everything in it together but where it says otherwise. */
export interface LimitSettings {
  /** Bytes. */
  readonly memory: number
  /** Undefined: all that there are. */
  readonly cpus: number | undefined
  /** Threads count. */
  readonly processes: number
  /** Open files of a process. */
  readonly files: number
  /** Bytes of the working directory. */
  readonly disk: number
  /** Bytes of `/tmp`, and of `/dev/shm`, where they are the sandbox's own. */
  readonly temporary: number
}

const MB = 1024 ** 2
/** A Python, its keeper and its copy take some 30 MB. */
const LEAST_MEMORY = 64 * MB
/** The kernel's own descriptors begin at 200. */
const LEAST_FILES = 256
const LEAST_PROCESSES = 8

/** Checks the limits, and fills in the defaults. Throws `OPTION_INVALID`. */
export function checkLimits({ limits = {} }: LocalOptions): LimitSettings {
  const memory = parseBytes('local', 'limits.memory', limits.memory ?? 512 * MB)
  if (memory < LEAST_MEMORY) {
    throw new CodeActError(
      'OPTION_INVALID',
      'local(): limits.memory must be at least 64m: Python itself takes half of that.',
    )
  }
  return {
    memory,
    cpus: limits.cpus === undefined ? undefined : numberFrom(0.01, 'local', 'limits.cpus', limits.cpus),
    processes: wholeFrom(LEAST_PROCESSES, 'local', 'limits.processes', limits.processes ?? 256),
    files: wholeFrom(LEAST_FILES, 'local', 'limits.files', limits.files ?? 1024),
    disk: parseBytes('local', 'limits.disk', limits.disk ?? 1024 * MB),
    temporary: Math.floor(memory / 4),
  }
}
