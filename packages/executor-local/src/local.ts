import { type Backend, defineExecutor, hostFolderFiles, type SandboxOptions } from '@codeact/sandbox'
import type { Executor } from '@codeact/spec'
import { capabilities } from './capabilities.ts'
import { findInterpreter } from './interpreter.ts'
import { chooseIsolation } from './isolation.ts'
import { startKernel } from './start-kernel.ts'
import { openWorkspace } from './workspace.ts'

export interface LocalOptions extends SandboxOptions {
  /** The interpreter: a name on the PATH or a path; that of a virtual environment brings its packages. Default `python3`. */
  readonly python?: string
  /**
   * Default: `bubblewrap`, and where it does not work `open()` fails. `none` runs the code as you, with your files and your
   * network: only for code that you would run yourself.
   */
  readonly isolation?: 'bubblewrap' | 'none'
}

const UNLIMITED = 'it does not limit resources yet, apart from time and output'

/** Runs code in a subprocess of this machine, inside the operating system's own sandbox. */
export function local(options: LocalOptions = {}): Executor {
  return defineExecutor({
    name: 'local',
    languages: ['python'],
    options,
    unsupported: {
      'network.allow': 'a subprocess has the whole network or none',
      'limits.memory': UNLIMITED,
      'limits.cpus': UNLIMITED,
      'limits.processes': UNLIMITED,
      'limits.files': UNLIMITED,
      'limits.disk': UNLIMITED,
      checkpoint: 'state does not survive a killed cell yet',
      ...(options.isolation === 'none' ? { mounts: "with isolation 'none' the code sees every folder anyway" } : {}),
    },
    openBackend: () => openBackend(options),
  })
}

async function openBackend(options: LocalOptions): Promise<Backend> {
  const isolation = await chooseIsolation(options.isolation)
  const interpreter = await findInterpreter(options.python ?? 'python3')
  const workspace = await openWorkspace()
  const place = { interpreter, workspace: workspace.path, options }
  return {
    capabilities: capabilities(interpreter, isolation),
    files: hostFolderFiles(workspace.path),
    connect: async (_language, receive) => startKernel(isolation.command(place), receive),
    close: () => workspace.remove(),
  }
}
