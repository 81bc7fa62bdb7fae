import { type Backend, checkpointBytes, withProcessLimits } from '@codeact/sandbox'
import type { OpenOptions } from '@codeact/spec'
import { capabilities } from './capabilities.ts'
import { findInterpreter } from './interpreter.ts'
import type { Isolation } from './isolation.ts'
import { Guard } from './limits/guard.ts'
import { planLimits } from './limits/plan.ts'
import type { LocalOptions } from './local.ts'
import { LocalBackend } from './local-backend.ts'
import { FIRST_DOOR } from './start-kernel.ts'
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
  const checkpoints = checkpointBytes('local', options, plan.settings.memory)
  const isKept = canCopyItself && isolation.name !== 'seatbelt' && checkpoints !== undefined
  const { path, temporary, forks } = workspace
  const depth = isolation.name === 'bubblewrap' ? (isKept ? 1 : 2) : 0
  const guard = await Guard.open({ plan, folders: [path, forks], isKept, depth }).catch(async (error) => {
    await workspace.remove()
    throw error
  })
  const doors = Array.from({ length: guard.doors }, (_, index) => FIRST_DOOR + index)
  const start = withProcessLimits(interpreter.start(isKept ? checkpoints : undefined), { ...plan.perProcess, doors })
  return new LocalBackend({
    isolation,
    place: { interpreter, start, isKept, workspace: path, temporary, forks, limits: plan.settings, options },
    workspace,
    guard,
    capabilities: capabilities(interpreter, isolation, isKept, plan.exceptions),
    checkpointBytes: checkpoints,
  })
}
