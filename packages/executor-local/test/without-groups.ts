import { defineExecutor } from '@codeact/sandbox'
import type { Executor } from '@codeact/spec'
import type { LocalOptions } from '../src/index.ts'
import { chooseIsolation } from '../src/isolation.ts'
import { planLimits } from '../src/limits/plan.ts'
import { openBackend } from '../src/open-backend.ts'

/** `local()` as on a Linux where no control group can be made, and where the system does not mind how many processes there are. */
export function withoutGroups(options: LocalOptions = {}): Executor {
  return defineExecutor({
    name: 'local',
    languages: ['python'],
    options,
    unsupported: {},
    openBackend: async (open) => {
      const isolation = await chooseIsolation(options.isolation)
      const system = { isLinux: true, places: new Map(), countsProcesses: false }
      return openBackend(options, isolation, open, planLimits(options, isolation.name, system))
    },
  })
}
