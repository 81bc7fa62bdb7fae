import { realpathSync, statSync } from 'node:fs'
import { posix, win32 } from 'node:path'
import type { SandboxOptions } from '@codeact/sandbox'
import { CodeActError } from '@codeact/spec'
import type { DockerOptions } from './docker-options.ts'

/** A folder of the host, and where the code sees it. */
export interface Mount {
  readonly source: string
  readonly target: string
  readonly writable: boolean
}

/** The working directory of the code. */
export const WORKSPACE = '/workspace'
/** Where forks of a sandbox work. */
export const FORKS = '/forks'

/** What the container makes itself, and what nothing may hide. */
const TAKEN = ['/', WORKSPACE, FORKS, '/tmp', '/proc', '/sys', '/dev', '/etc']
const SYSTEM = ['/proc', '/sys', '/dev']

/** Who may speak to one of these is root on the host. */
const DAEMON_SOCKETS = ['/var/run', '/run'].flatMap((folder) =>
  ['docker.sock', 'podman/podman.sock', 'containerd/containerd.sock', 'crio/crio.sock'].map(
    (name) => `${folder}/${name}`,
  ),
)

/** The option `mounts`: absolute paths on both sides, none on top of what the container needs, no way to Docker itself. */
export function checkMounts(mounts: NonNullable<SandboxOptions['mounts']>): Mount[] {
  return Object.entries(mounts).map(([target, mount]) => {
    const { source, writable = false } = typeof mount === 'string' ? { source: mount } : mount
    checkTarget(target)
    checkSource('mounts', source)
    return { source, target: plain(target), writable }
  })
}

/** The option `workspace` as a mount. */
export function workspaceMount(workspace: DockerOptions['workspace']): Mount | undefined {
  if (workspace === undefined) return undefined
  checkSource('workspace.mount', workspace.mount)
  return { source: workspace.mount, target: WORKSPACE, writable: workspace.writable ?? false }
}

function checkTarget(target: string): void {
  const path = plain(target)
  if (!posix.isAbsolute(target) || target.includes('\0')) {
    throw invalid('mounts', `${JSON.stringify(target)} is not an absolute path inside the container`)
  }
  if (TAKEN.includes(path) || SYSTEM.some((folder) => path.startsWith(`${folder}/`))) {
    const hint = path === WORKSPACE ? 'Use workspace: { mount: "/path" }.' : 'Choose a path of its own, such as /data.'
    throw invalid('mounts', `${path} cannot be covered, the container needs it`, hint)
  }
}

function checkSource(option: string, source: string): void {
  if (typeof source !== 'string' || !(posix.isAbsolute(source) || win32.isAbsolute(source)) || source.includes('\0')) {
    throw invalid(option, `${JSON.stringify(source)} is not an absolute path on the host`)
  }
  if (leadsToDaemon(source)) {
    throw invalid(option, `${source} leads to the socket of Docker, and with it to all of the host`)
  }
}

/** Looks as written, and as it is on this machine, which may not be the one that Docker runs on. */
function leadsToDaemon(source: string): boolean {
  const places = [plain(source), realPath(source)]
  const sockets = DAEMON_SOCKETS.flatMap((socket) => [socket, realPath(socket)])
  return (
    isSocket(source) ||
    /(docker|podman|containerd|crio)\.sock$/.test(source) ||
    places.some((place) => sockets.some((socket) => isWithin(socket, place)))
  )
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`)
}

function isSocket(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isSocket() ?? false
}

function realPath(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    return plain(path)
  }
}

/** Without detours, and without a slash at its end. */
function plain(path: string): string {
  return posix.normalize(path).replace(/(.)\/$/, '$1')
}

function invalid(option: string, why: string, hint?: string): CodeActError {
  return new CodeActError('OPTION_INVALID', `docker(): ${option}: ${why}.`, { hint })
}
