import {
  type Backend,
  type BackendFiles,
  busyBySome,
  type ChannelEnd,
  checkpointBytes,
  type Frame,
  hostFolderFiles,
  Shared,
  withProcessLimits,
} from '@codeact/sandbox'
import type { OpenOptions } from '@codeact/spec'
import { capabilities } from './capabilities.ts'
import { forkKernel } from './fork.ts'
import { findInterpreter } from './interpreter.ts'
import type { Isolation } from './isolation.ts'
import { Guard } from './limits/guard.ts'
import { planLimits } from './limits/plan.ts'
import type { LocalOptions } from './local.ts'
import { FIRST_DOOR, type KernelProcess, startKernel } from './start-kernel.ts'
import { openWorkspace } from './workspace.ts'

/** A keeper needs to adopt orphans and to see what is unread in a pipe, of which macOS offers neither. */
export const canCopyItself = process.platform === 'linux'

/** A workspace on this machine, and kernels in it, inside the isolation. */
export async function openBackend(
  options: LocalOptions,
  isolation: Isolation,
  { onProgress }: OpenOptions,
  plan = planLimits(options, isolation.name),
): Promise<Backend> {
  if (isolation.notice !== undefined) onProgress?.({ message: isolation.notice })
  const interpreter = await findInterpreter(options.python ?? 'python3')
  const workspace = await openWorkspace()
  const { settings: limits } = plan
  const checkpoints = checkpointBytes('local', options, limits.memory)
  const isKept = canCopyItself && isolation.name !== 'seatbelt' && checkpoints !== undefined
  const { path, temporary, forks } = workspace
  const depth = isolation.name === 'bubblewrap' ? (isKept ? 1 : 2) : 0
  const guard = await Guard.open({ plan, folders: [path, forks], isKept, depth }).catch(async (error) => {
    await workspace.remove()
    throw error
  })
  const hold = new Shared(async () => {
    await guard.close()
    await workspace.remove()
  })
  const doors = Array.from({ length: guard.doors }, (_, index) => FIRST_DOOR + index)
  const start = withProcessLimits(interpreter.start(isKept ? checkpoints : undefined), { ...plan.perProcess, doors })
  const place = { interpreter, start, isKept, workspace: path, temporary, forks, limits, options }
  const known = capabilities(interpreter, isolation, isKept, plan.exceptions)
  const setBusy = busyBySome((isBusy) => guard.setBusy(isBusy))
  let kernel: KernelProcess | undefined
  return {
    capabilities: known,
    files: forgiven(hostFolderFiles(path), guard),
    connect: async (_language, receive) => {
      const command = { ...isolation.command(place), explain: (end: ChannelEnd) => guard.explain(end) }
      const hear = (frame: Frame): void => void (guard.passes(frame) && receive(frame))
      kernel = guard.withOpenDoors((open) => startKernel({ ...command, doors: open }, hear))
      await begin(kernel, guard)
      return kernel
    },
    setIdle: (isIdle) => kernel?.setIdle(isIdle),
    setBusy,
    fork: async (ask) => {
      if (kernel === undefined) throw new TypeError('there is no kernel yet')
      const holds = [kernel.hold, hold]
      const origin = {
        hold: () => {
          guard.beginFork()
          for (const one of holds) one.hold()
          return async () => {
            guard.endFork()
            for (const one of holds) await one.release()
          }
        },
        forks: { onHost: forks, inside: isolation.forks ?? forks },
        capabilities: known,
        checkpointBytes: checkpoints,
        start: interpreter.startOfFork(),
        explain: (end: ChannelEnd) => guard.explainFork(end),
        setBusy: (isBusy: boolean) => {
          if (isBusy) guard.expectFork()
          setBusy(isBusy)
        },
      }
      // It begins with a copy of the working directory.
      return guard.whileHostWrites(() => forkKernel(origin, ask))
    },
    close: () => hold.release(),
  }
}

/** Nothing runs without its limits. */
async function begin(kernel: KernelProcess, guard: Guard): Promise<void> {
  try {
    await guard.admit(kernel)
    kernel.begin()
  } catch (error) {
    await kernel.close()
    throw error
  }
}

function forgiven(files: BackendFiles, guard: Guard): BackendFiles {
  return { ...files, write: (path, data) => guard.whileHostWrites(() => files.write(path, data)) }
}
