import { numberFrom, parseBytes, type SandboxOptions, wholeFrom } from '@codeact/sandbox'
import { CodeActError } from '@codeact/spec'
import type { DockerOptions } from './docker-options.ts'
import { checkMounts, type Mount, workspaceMount } from './mounts.ts'

/** The options of one sandbox after checking, in the units that Docker works with. */
export interface Settings {
  /** Bytes. */
  readonly memory: number
  readonly cpus: number
  readonly processes: number
  readonly files: number
  /** Bytes of the working directory. */
  readonly disk: number
  /** Bytes of `/tmp`, and of `/dev/shm`. */
  readonly temporary: number
  readonly user: User
  readonly network: 'none' | 'full'
  readonly env: Readonly<Record<string, string>>
  readonly mounts: readonly Mount[]
  /** The host's folder that is the working directory, where one is. */
  readonly workspace: Mount | undefined
}

export interface User {
  readonly uid: number
  readonly gid: number
}

const MB = 1024 ** 2
/** The engine's own. */
const LEAST_MEMORY = 6 * MB
/** The kernel's own descriptors begin at 200. */
const LEAST_FILES = 256
const MOST_TEMPORARY = 64 * MB
const NOBODY = '65534:65534'

/** Checks what is particular to a container, and fills in the defaults; throws `OPTION_INVALID` or `OPTION_UNSUPPORTED`. */
export function checkSettings(options: DockerOptions): Settings {
  const limits = options.limits ?? {}
  const memory = parseBytes('docker', 'limits.memory', limits.memory ?? 512 * MB)
  if (memory < LEAST_MEMORY) throw invalid('limits.memory', 'at least 6m, which is the least that Docker takes')
  const workspace = workspaceMount(options.workspace)
  return {
    memory,
    cpus: numberFrom(0.01, 'docker', 'limits.cpus', limits.cpus ?? 1),
    processes: wholeFrom(8, 'docker', 'limits.processes', limits.processes ?? 256),
    files: wholeFrom(LEAST_FILES, 'docker', 'limits.files', limits.files ?? 1024),
    disk: diskSize(options, memory),
    temporary: Math.min(MOST_TEMPORARY, Math.floor(memory / 8)),
    user: parseUser(options.user ?? NOBODY),
    network: checkNetwork(options.network ?? 'none'),
    env: checkEnvironment(options.env ?? {}),
    mounts: checkMounts(options.mounts ?? {}),
    workspace,
  }
}

function diskSize({ limits, workspace }: DockerOptions, memory: number): number {
  if (limits?.disk === undefined) return Math.floor(memory / 2)
  if (workspace !== undefined) {
    throw unsupported('limits.disk', 'a working directory that is a folder of the host has no limit of its own')
  }
  const disk = parseBytes('docker', 'limits.disk', limits.disk)
  if (disk > memory) {
    throw invalid('limits.disk', 'within limits.memory, since the working directory is memory', {
      hint: 'Raise limits.memory too, or give a folder of the host: workspace: { mount: "/path", writable: true }.',
    })
  }
  return disk
}

function checkNetwork(network: NonNullable<SandboxOptions['network']>): 'none' | 'full' {
  if (network === 'none' || network === 'full') return network
  throw unsupported('network.allow', 'a container has the whole network or none')
}

function parseUser(user: string): User {
  const match = /^(\d{1,9})(?::(\d{1,9}))?$/.exec(user)
  if (match === null) {
    throw invalid('user', `the numbers of a user and a group such as "${NOBODY}", not ${JSON.stringify(user)}`)
  }
  const uid = Number(match[1])
  return { uid, gid: match[2] === undefined ? uid : Number(match[2]) }
}

function checkEnvironment(env: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  for (const [name, value] of Object.entries(env)) {
    if (name === '' || /[=\0]/.test(name) || value.includes('\0')) {
      throw invalid('env', `names without "=" and values without NUL, which ${JSON.stringify(name)} is not`)
    }
  }
  return env
}

function invalid(name: string, expected: string, more: { hint?: string } = {}): CodeActError {
  return new CodeActError('OPTION_INVALID', `docker(): ${name} must be ${expected}.`, more)
}

function unsupported(name: string, reason: string): CodeActError {
  return new CodeActError('OPTION_UNSUPPORTED', `docker() cannot honour the option ${name}: ${reason}.`, {
    hint: `Leave ${name} out, or take another executor.`,
  })
}
