import { existsSync, lstatSync, readlinkSync } from 'node:fs'
import { sandboxEnvironment } from './environment.ts'
import type { Command, Place } from './isolation.ts'
import type { LimitSettings } from './limits/settings.ts'
import type { LocalOptions } from './local.ts'
import { refusedByBubblewrap } from './refusal.ts'

const WORKSPACE = '/workspace'
export const FORKS = '/forks'

/** Its own users, processes, network, hostname and IPC; the capabilities gone for good, also when the host is root. */
const WALLS = [
  ['--unshare-all', '--unshare-user', '--disable-userns'],
  ['--uid', '1000', '--gid', '1000', '--cap-drop', 'ALL', '--hostname', 'sandbox'],
  ['--die-with-parent', '--new-session', '--clearenv'],
].flat()

/** The system's top folders, of which a Python needs the libraries and its children the programs. */
const SYSTEM = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32']
const SETTINGS = [
  '/etc/ld.so.cache',
  '/etc/alternatives',
  '/etc/localtime',
  '/etc/mime.types',
  '/etc/fonts',
  '/etc/matplotlibrc',
]
const NETWORK_SETTINGS = [
  '/etc/resolv.conf',
  '/etc/hosts',
  '/etc/nsswitch.conf',
  '/etc/ssl',
  '/etc/ca-certificates',
  '/etc/pki',
]

/**
 * Read-only once all is in place. The settings of the system in `/proc` belong to root, and where the host is root so does the
 * code, whatever its number inside; the root folder and `/dev` are memory that has no limit.
 */
const SEALED = ['/proc', '/dev', '/']

/** bubblewrap around the kernel: a read-only system, a private `/tmp` and `/proc`, and nothing else of the host. */
export function bubblewrapCommand(file: string, place: Place): Command {
  const { interpreter, start, isKept, workspace, forks, limits, options } = place
  const args = [
    ...WALLS,
    ...(isKept ? ['--as-pid-1'] : []),
    ...(options.network === 'full' ? ['--share-net', ...NETWORK_SETTINGS.flatMap(readOnlyTry)] : []),
    ...SYSTEM.flatMap(systemFolder),
    ...SETTINGS.flatMap(readOnlyTry),
    ...['--proc', '/proc', '--dev', '/dev', ...['/dev/shm', '/tmp'].flatMap((path) => tmpfs(path, limits))],
    ...interpreter.prefixes.filter(isOutsideSystem).flatMap((prefix) => ['--ro-bind', prefix, prefix]),
    ...mounts(options),
    ...(isKept ? ['--bind', forks, FORKS] : []),
    ...['--bind', workspace, WORKSPACE, '--chdir', WORKSPACE],
    ...SEALED.flatMap((path) => ['--remount-ro', path]),
    ...Object.entries(sandboxEnvironment(WORKSPACE, options)).flatMap(([name, value]) => ['--setenv', name, value]),
    ...['--', interpreter.path, ...start.arguments],
  ]
  return {
    file,
    args,
    env: {},
    cwd: workspace,
    input: start.input,
    isKept,
    endsAll: true,
    refusal: refusedByBubblewrap,
  }
}

/** Where `/bin` is a link to `usr/bin`, as on most systems, it is one inside as well. */
function systemFolder(path: string): string[] {
  if (!existsSync(path)) return []
  return lstatSync(path).isSymbolicLink() ? ['--symlink', readlinkSync(path), path] : ['--ro-bind', path, path]
}

function tmpfs(path: string, { temporary }: LimitSettings): string[] {
  return ['--size', String(temporary), '--tmpfs', path]
}

function readOnlyTry(path: string): string[] {
  return ['--ro-bind-try', path, path]
}

function isOutsideSystem(path: string): boolean {
  return !SYSTEM.some((folder) => path === folder || path.startsWith(`${folder}/`))
}

function mounts({ mounts = {} }: LocalOptions): string[] {
  return Object.entries(mounts).flatMap(([inside, mount]) => {
    const { source, writable = false } = typeof mount === 'string' ? { source: mount } : mount
    return [writable ? '--bind' : '--ro-bind', source, inside]
  })
}
