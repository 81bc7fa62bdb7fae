import type { ContainerCreateOptions, HostConfig, MountSettings } from 'dockerode'
import { containerEnvironment } from './environment.ts'
import type { ResolvedImage } from './image.ts'
import { FORKS, type Mount, WORKSPACE } from './mounts.ts'
import type { Settings } from './settings.ts'

/** All that a container is made from. */
export interface ContainerPlan {
  readonly settings: Settings
  readonly image: ResolvedImage
  /** The program and its arguments; the image's own entry point is not run. */
  readonly command: readonly string[]
  /** One that no other container has: it is how a container is removed whose id was never heard of. */
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
}

/** What a container is created with; it always has a name. */
export type NamedOptions = ContainerCreateOptions & { readonly name: string }

/** Bytes of tmpfs for each file in it that may exist, so that a flood of empty files ends as a full disk does. */
const BYTES_PER_FILE = 4096

/**
 * The walls: a user without rights, capabilities or a way to get any; a read-only system, with memory to write to; no network,
 * no host; every resource counted. Docker's default filter of system calls stays, since none is named.
 */
export function containerOptions({ settings, image, command, name, labels }: ContainerPlan): NamedOptions {
  return {
    name,
    Image: image.id,
    Entrypoint: [...command],
    Cmd: [],
    User: `${settings.user.uid}:${settings.user.gid}`,
    Env: containerEnvironment(settings),
    WorkingDir: WORKSPACE,
    Hostname: 'sandbox',
    Labels: { ...labels },
    ...STREAMS,
    // A daemon that goes down has nothing to wait for.
    StopSignal: 'SIGKILL',
    StopTimeout: 1,
    // An image's own check would be one more program in here.
    Healthcheck: { Test: ['NONE'] },
    HostConfig: { ...WALLS, ...resources(settings), ...places(settings, image) },
  }
}

/** Frames both ways. Its input ends when the host goes, however it goes. */
const STREAMS = {
  AttachStdin: true,
  AttachStdout: true,
  AttachStderr: true,
  OpenStdin: true,
  StdinOnce: true,
  Tty: false,
} satisfies ContainerCreateOptions

const WALLS = {
  Init: true,
  AutoRemove: true,
  Privileged: false,
  CapDrop: ['ALL'],
  SecurityOpt: ['no-new-privileges'],
  ReadonlyRootfs: true,
  IpcMode: 'private',
  PublishAllPorts: false,
  LogConfig: { Type: 'none', Config: {} },
} satisfies HostConfig

function resources({ memory, cpus, processes, files, disk, temporary, network }: Settings): HostConfig {
  return {
    NetworkMode: network === 'none' ? 'none' : 'default',
    Memory: memory,
    MemorySwap: memory,
    NanoCpus: Math.round(cpus * 1e9),
    PidsLimit: processes,
    ShmSize: temporary,
    Ulimits: [limit('nofile', files), limit('fsize', Math.max(disk, temporary)), limit('core', 0)],
  }
}

function limit(Name: string, value: number) {
  return { Name, Soft: value, Hard: value }
}

/** What can be written to: the working directory, those of forks, `/tmp`, and in place of each volume that the image declares a tmpfs. */
function places(settings: Settings, image: ResolvedImage): HostConfig {
  const { workspace, mounts, disk, temporary } = settings
  const taken = [WORKSPACE, FORKS, '/tmp', ...mounts.map(({ target }) => target)]
  const volumes = image.volumes.filter((path) => !taken.includes(path))
  return {
    Tmpfs: {
      ...(workspace === undefined ? { [WORKSPACE]: tmpfs(settings, disk, '0700') } : {}),
      [FORKS]: tmpfs(settings, disk, '0700'),
      '/tmp': tmpfs(settings, temporary, '1777'),
      ...Object.fromEntries(volumes.map((path) => [path, tmpfs(settings, temporary, '0700')])),
    },
    Mounts: [...(workspace === undefined ? [] : [workspace]), ...mounts].map(bind),
  }
}

function tmpfs({ user }: Settings, bytes: number, mode: string): string {
  const files = Math.max(1024, Math.floor(bytes / BYTES_PER_FILE))
  return `rw,noexec,nosuid,nodev,size=${bytes},nr_inodes=${files},mode=${mode},uid=${user.uid},gid=${user.gid}`
}

/** What is mounted inside a read-only folder would stay writable with older engines: it is not shown. */
function bind({ source, target, writable }: Mount): MountSettings {
  const BindOptions = { Propagation: 'rprivate' as const, NonRecursive: !writable }
  return { Type: 'bind', Source: source, Target: target, ReadOnly: !writable, BindOptions }
}
