import { execFile } from 'node:child_process'
import { existsSync, lstatSync, readlinkSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const AGENT_FOLDER = '/opt/emulator'

/** Own users, processes and hostname: what happens inside stays there. */
const WALLS = [
  ['--unshare-all', '--unshare-user', '--as-pid-1'],
  ['--uid', '1000', '--gid', '1000', '--cap-drop', 'ALL', '--hostname', 'e2b'],
  ['--die-with-parent', '--new-session', '--clearenv'],
].flat()

const SYSTEM = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32']
const SETTINGS = ['/etc/ld.so.cache', '/etc/alternatives', '/etc/localtime', '/etc/mime.types', '/etc/fonts']
const NETWORK_SETTINGS = ['/etc/resolv.conf', '/etc/nsswitch.conf', '/etc/ssl', '/etc/ca-certificates']
/** The system's, which root may write, and so code whose user is root outside. */
const SEALED = ['/proc/sys', '/proc/sysrq-trigger']
const OWN_SETTINGS = {
  passwd: 'root:x:0:0::/root:/bin/bash\nuser:x:1000:1000::/home/user:/bin/bash\n',
  group: 'root:x:0:\nuser:x:1000:\n',
  hosts: '127.0.0.1 localhost\n',
}

/** A sandbox's folders on the host, and the command that starts its agent there. */
export interface Cage {
  readonly command: readonly string[]
  readonly path: string
  remove(): Promise<void>
}

export async function buildCage(hasInternet: boolean): Promise<Cage> {
  const python = await hostPython()
  const folder = await mkdtemp(join(tmpdir(), `codeact-e2b-${process.pid}-`))
  for (const name of ['home', 'tmp']) await mkdir(join(folder, name))
  for (const [name, text] of Object.entries(OWN_SETTINGS)) await writeFile(join(folder, name), text)
  const inside = fileURLToPath(new URL('inside', import.meta.url))
  const command = [
    ...['bwrap', ...WALLS, ...(hasInternet ? ['--share-net', ...NETWORK_SETTINGS.flatMap(readOnly)] : [])],
    ...[...SYSTEM.flatMap(systemFolder), ...SETTINGS.flatMap(readOnly)],
    ...['--proc', '/proc', ...SEALED.flatMap(readOnly), '--dev', '/dev', '--remount-ro', '/dev'],
    ...['--tmpfs', '/dev/shm'],
    ...['--bind', join(folder, 'home'), '/home/user', '--bind', join(folder, 'tmp'), '/tmp', '--dir', '/root'],
    ...Object.keys(OWN_SETTINGS).flatMap((name) => ['--ro-bind', join(folder, name), `/etc/${name}`]),
    ...[...python.prefixes.flatMap(readOnly), '--ro-bind', inside, AGENT_FOLDER, '--chdir', '/home/user'],
    ...['--setenv', 'PYTHONDONTWRITEBYTECODE', '1'],
    ...['--', python.path, '-E', '-s', '-S', `${AGENT_FOLDER}/agent.py`],
  ]
  return { command, path: python.searchPath, remove: () => rm(folder, { recursive: true, force: true }) }
}

/** Throws where there is no bubblewrap that works, or no Python. */
export async function checkCage(): Promise<void> {
  await hostPython()
  await promisify(execFile)('bwrap', [...WALLS, '--ro-bind', '/', '/', '--', 'true'])
}

interface HostPython {
  readonly path: string
  /** What it needs outside of the system's own folders. */
  readonly prefixes: readonly string[]
  /** Where commands are looked for: `python3` is this one. */
  readonly searchPath: string
}

let found: Promise<HostPython> | undefined

function hostPython(): Promise<HostPython> {
  found ??= askForPython()
  return found
}

async function askForPython(): Promise<HostPython> {
  const question = 'import json, sys; print(json.dumps([sys.executable, sys.prefix, sys.base_prefix]))'
  const { stdout } = await promisify(execFile)('python3', ['-I', '-c', question])
  const [path = '', ...prefixes] = JSON.parse(stdout) as string[]
  const isOutside = (folder: string): boolean => !SYSTEM.some((top) => folder === top || folder.startsWith(`${top}/`))
  return {
    path,
    prefixes: [...new Set(prefixes)].filter(isOutside),
    searchPath: [join(path, '..'), '/usr/local/bin', '/usr/bin', '/bin', '/usr/sbin', '/sbin'].join(':'),
  }
}

function readOnly(path: string): string[] {
  return ['--ro-bind-try', path, path]
}

function systemFolder(path: string): string[] {
  if (!existsSync(path)) return []
  return lstatSync(path).isSymbolicLink() ? ['--symlink', readlinkSync(path), path] : ['--ro-bind', path, path]
}
