import { release } from 'node:os'
import type { ProcessLimits } from '@codeact/sandbox'
import { CodeActError, type PromiseException } from '@codeact/spec'
import type { Isolation } from '../isolation.ts'
import type { LocalOptions } from '../local.ts'
import { type CgroupPlaces, cgroupPlaces } from './cgroup-places.ts'
import { checkLimits, type LimitSettings } from './settings.ts'

/** What keeps which limit. */
export interface LimitPlan {
  readonly settings: LimitSettings
  /** Where a control group is made for it. */
  readonly places: CgroupPlaces
  /** What no control group keeps, and this process sees to: by looking, and killing. */
  readonly watches: { readonly memory: boolean; readonly processes: boolean }
  readonly perProcess: ProcessLimits
  readonly exceptions: readonly PromiseException[]
}

/** As far as limits depend on it. */
export interface System {
  readonly isLinux: boolean
  readonly places: CgroupPlaces
  /** Whether the system counts a user's processes apart in each namespace, and minds how many there are. */
  readonly countsProcesses: boolean
}

const HINT =
  'Leave it out, or run this program where it may make control groups: as root, or with cgroup v2 in a scope of its own ' +
  '(systemd-run --user --scope -p Delegate=yes …).'
const ELSEWHERE = 'only Linux counts it for all processes of a sandbox together'
const NO_GROUP = 'it is a rate, which only a control group keeps, and none can be made here'

/** Checks the limits. Throws `OPTION_UNSUPPORTED` for one that was asked for and cannot be kept here. */
export function planLimits(
  options: LocalOptions,
  isolation: Isolation['name'],
  { isLinux, places, countsProcesses }: System = thisSystem(),
): LimitPlan {
  const settings = checkLimits(options)
  const exceptions = isLinux
    ? places.has('cpu')
      ? []
      : [unkept('cpus', NO_GROUP)]
    : (['memory', 'cpus', 'processes'] as const).map((name) => unkept(name, ELSEWHERE))
  for (const { promise, reason } of exceptions) refuseAskedFor(options, promise, reason)
  const isCounted = isolation === 'bubblewrap' && countsProcesses
  return {
    settings,
    places,
    watches: { memory: isLinux && !places.has('memory'), processes: isLinux && !places.has('pids') && !isCounted },
    perProcess: {
      files: settings.files,
      fileBytes: settings.disk,
      ...(isCounted ? { processes: settings.processes } : {}),
    },
    exceptions,
  }
}

function thisSystem(): System {
  const isLinux = process.platform === 'linux'
  return {
    isLinux,
    places: isLinux ? cgroupPlaces() : new Map(),
    countsProcesses: isLinux && process.getuid?.() !== 0 && countsPerNamespace(release()),
  }
}

/** Since Linux 5.14; before that, all that the user runs on the machine would count. */
function countsPerNamespace(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major > 5 || (major === 5 && minor >= 14)
}

function unkept(name: 'memory' | 'cpus' | 'processes', reason: string): PromiseException {
  return { promise: `limits.${name}`, reason }
}

function refuseAskedFor({ limits = {} }: LocalOptions, promise: string, reason: string): void {
  const asked = Object.entries(limits).some(([name, value]) => value !== undefined && promise === `limits.${name}`)
  if (!asked) return
  throw new CodeActError('OPTION_UNSUPPORTED', `local() cannot honour the option ${promise}: ${reason}.`, {
    hint: HINT,
  })
}
