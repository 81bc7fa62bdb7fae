import { defineExecutor, type SandboxOptions } from '@codeact/sandbox'
import type { Executor } from '@codeact/spec'
import { chooseIsolation } from './isolation.ts'
import { canCopyItself, openBackend } from './open-backend.ts'

/**
 * What `local()` takes. Of the common options: `limits.memory` (default `512m`, at least `64m`), `limits.processes` (default 256, threads
 * count) and `limits.cpus` (default all) are of the whole sandbox, `limits.files` (default 1024, at least 256) of each process,
 * `limits.disk` (default `1g`) of the working directory and of each file. What cannot be kept on a system is refused where it is asked
 * for, and declared in `Sandbox.capabilities` else.
 */
export interface LocalOptions extends SandboxOptions {
  /** The interpreter: a name on the PATH or a path; that of a virtual environment brings its packages. Default `python3`. */
  readonly python?: string
  /**
   * Default: the system's own, `bubblewrap` on Linux and `seatbelt` on macOS (which has never run on a Mac yet: unverified), and
   * where that does not work `open()` fails. `none` runs the code as you, with your files and your network: only for code that
   * you would run yourself.
   */
  readonly isolation?: 'bubblewrap' | 'seatbelt' | 'none'
}

/** Runs code in a subprocess of this machine, inside the operating system's own sandbox. */
export function local(options: LocalOptions = {}): Executor {
  return defineExecutor({
    name: 'local',
    languages: ['python'],
    options,
    unsupported: {
      'network.allow': 'a subprocess has the whole network or none',
      ...(canCopyItself ? {} : { checkpoint: 'only on Linux can what a killed cell leaves behind be found and ended' }),
      ...(options.isolation === 'none' ? { mounts: "with isolation 'none' the code sees every folder anyway" } : {}),
    },
    openBackend: async (open) => openBackend(options, await chooseIsolation(options.isolation), open),
  })
}
