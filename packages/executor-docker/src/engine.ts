import { CodeActError, type PromiseException } from '@codeact/spec'
import type Docker from 'dockerode'
import { bounded } from './bounded.ts'
import { info } from './calls.ts'
import { dockerError } from './docker-error.ts'
import type { DockerOptions } from './docker-options.ts'
import { PATIENCE } from './patience.ts'
import type { Settings } from './settings.ts'

/** What a Docker can do, as it says itself. */
export interface Engine {
  readonly cpus: number
  /** Promises that its machine cannot keep. Limits among them it would take, and forget. */
  readonly exceptions: readonly PromiseException[]
}

interface Info {
  readonly OSType?: string
  readonly NCPU?: number
  readonly MemoryLimit?: boolean
  readonly SwapLimit?: boolean
  readonly CpuCfsQuota?: boolean
  readonly PidsLimit?: boolean
  readonly SecurityOptions?: readonly string[] | null
}

/** Asks Docker what it can do. Rejects with `EXECUTOR_UNAVAILABLE` where it runs no Linux containers. */
export async function inspectEngine(docker: Docker, signal?: AbortSignal, ms = PATIENCE.inspect): Promise<Engine> {
  const what = 'tell about itself'
  const said = (await bounded(what, ms, (abortSignal) => info(docker, abortSignal), signal).catch((error: unknown) => {
    throw signal?.aborted === true ? signal.reason : dockerError(what, error)
  })) as Info
  if (said.OSType !== undefined && said.OSType !== 'linux') throw notLinux(said.OSType)
  return { cpus: said.NCPU ?? Number.POSITIVE_INFINITY, exceptions: exceptions(said) }
}

/**
 * The promises that this Docker cannot keep for these settings. Throws `OPTION_INVALID` for more processors than there are, and
 * `OPTION_UNSUPPORTED` for a limit that was asked for by name and cannot be kept.
 */
export function checkEngine(engine: Engine, { limits = {} }: DockerOptions, { cpus }: Settings): PromiseException[] {
  if (cpus > engine.cpus) {
    const message = `docker(): limits.cpus must be at most ${engine.cpus}, which is what Docker's machine has.`
    throw new CodeActError('OPTION_INVALID', message)
  }
  for (const { promise, reason } of engine.exceptions) {
    if (Object.keys(limits).some((limit) => promise === `limits.${limit}`)) throw unsupported(promise, reason)
  }
  return [...engine.exceptions]
}

function exceptions(said: Info): PromiseException[] {
  const filter = said.SecurityOptions?.find((option) => option.startsWith('name=seccomp'))
  const all: [isMissing: boolean, promise: PromiseException['promise'], reason: string][] = [
    [said.MemoryLimit === false, 'limits.memory', "Docker's machine does not limit memory"],
    [said.MemoryLimit !== false && said.SwapLimit === false, 'limits.memory', "Docker's machine does not limit swap"],
    [said.CpuCfsQuota === false, 'limits.cpus', "Docker's machine does not limit processor time"],
    [said.PidsLimit === false, 'limits.processes', "Docker's machine does not limit the number of processes"],
    [
      filter === undefined || filter.includes('unconfined'),
      'isolation.system-calls',
      'this Docker does not filter system calls (seccomp)',
    ],
  ]
  return all.flatMap(([isMissing, promise, reason]) => (isMissing ? { promise, reason } : []))
}

function unsupported(option: string, reason: string): CodeActError {
  return new CodeActError('OPTION_UNSUPPORTED', `docker() cannot honour the option ${option}: ${reason}.`, {
    hint: 'See the warnings at the end of `docker info`; a rootless Docker needs cgroup v2 and systemd.',
  })
}

function notLinux(system: string): CodeActError {
  return new CodeActError('EXECUTOR_UNAVAILABLE', `This Docker runs ${system} containers, docker() needs Linux ones.`, {
    hint: 'In the menu of Docker Desktop: Switch to Linux containers.',
  })
}
