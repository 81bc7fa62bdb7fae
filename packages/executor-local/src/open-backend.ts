import { type Backend, checkpointBytes, hostFolderFiles, Shared } from '@codeact/sandbox'
import type { OpenOptions } from '@codeact/spec'
import { capabilities } from './capabilities.ts'
import { forkKernel } from './fork.ts'
import { findInterpreter } from './interpreter.ts'
import type { Isolation } from './isolation.ts'
import type { LocalOptions } from './local.ts'
import { type KernelProcess, startKernel } from './start-kernel.ts'
import { openWorkspace } from './workspace.ts'

/** A keeper needs to adopt orphans and to see what is unread in a pipe, of which macOS offers neither. */
export const canCopyItself = process.platform === 'linux'

/** A workspace on this machine, and kernels in it, inside the isolation. */
export async function openBackend(
  options: LocalOptions,
  isolation: Isolation,
  { onProgress }: OpenOptions,
): Promise<Backend> {
  if (isolation.notice !== undefined) onProgress?.({ message: isolation.notice })
  const interpreter = await findInterpreter(options.python ?? 'python3')
  const workspace = await openWorkspace()
  const hold = new Shared(() => workspace.remove())
  const checkpoints = checkpointBytes('local', options)
  const isKept = canCopyItself && isolation.name !== 'seatbelt' && checkpoints !== undefined
  const start = interpreter.start(isKept ? checkpoints : undefined)
  const { temporary, forks } = workspace
  const place = { interpreter, start, isKept, workspace: workspace.path, temporary, forks, options }
  const known = capabilities(interpreter, isolation, isKept)
  const inside = isolation.forks ?? forks
  let kernel: KernelProcess | undefined
  return {
    capabilities: known,
    files: hostFolderFiles(workspace.path),
    connect: async (_language, receive) => {
      kernel = startKernel(isolation.command(place), receive)
      return kernel
    },
    setIdle: (isIdle) => kernel?.setIdle(isIdle),
    fork: async (ask) => {
      if (kernel === undefined) throw new TypeError('there is no kernel yet')
      const holds = [kernel.hold, hold]
      const start = interpreter.startOfFork()
      return forkKernel(
        { holds, forks: { onHost: forks, inside }, capabilities: known, checkpointBytes: checkpoints, start },
        ask,
      )
    },
    close: () => hold.release(),
  }
}
