import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export type Controller = 'memory' | 'pids' | 'cpu'

/** A tree of control groups, and where in it this process is. */
export interface Hierarchy {
  readonly version: 1 | 2
  /** The folder of this process's own group. */
  readonly folder: string
  /** Those of ours that it has. */
  readonly controllers: readonly Controller[]
}

const CONTROLLERS: readonly Controller[] = ['memory', 'pids', 'cpu']

interface Mount {
  /** Of the tree, what is mounted. */
  readonly root: string
  readonly point: string
  readonly type: string
  readonly options: readonly string[]
}

/** The trees that can be seen, as `proc`, a process's folder in `/proc`, tells. Empty where there are none. */
export function hierarchies(proc = '/proc/self'): readonly Hierarchy[] {
  const mounts = read(`${proc}/mountinfo`).split('\n').flatMap(mountOf)
  return read(`${proc}/cgroup`)
    .split('\n')
    .flatMap((line) => {
      const [, names, path] = /^\d+:([^:]*):(.*)$/.exec(line) ?? []
      if (names === undefined || path === undefined) return []
      return names === '' ? unified(mounts, path) : ofVersion1(mounts, names.split(','), path)
    })
}

function ofVersion1(mounts: readonly Mount[], names: readonly string[], path: string): Hierarchy[] {
  const controllers = CONTROLLERS.filter((name) => names.includes(name))
  const mount = mounts.find(
    ({ type, options }) => type === 'cgroup' && controllers.some((name) => options.includes(name)),
  )
  const folder = mount && folderIn(mount, path)
  return folder === undefined ? [] : [{ version: 1, folder, controllers }]
}

function unified(mounts: readonly Mount[], path: string): Hierarchy[] {
  const mount = mounts.find(({ type }) => type === 'cgroup2')
  const folder = mount && folderIn(mount, path)
  if (folder === undefined) return []
  const there = read(join(folder, 'cgroup.controllers')).split(/\s+/)
  return [{ version: 2, folder, controllers: CONTROLLERS.filter((name) => there.includes(name)) }]
}

/** A group that lies outside of what is mounted cannot be reached. */
function folderIn({ root, point }: Mount, path: string): string | undefined {
  if (path.includes('/..')) return undefined
  const parts = (path: string): string[] => path.split('/').filter(Boolean)
  const isInside = `${path}/`.startsWith(root === '/' ? root : `${root}/`)
  return isInside ? join(point, ...parts(path).slice(parts(root).length)) : undefined
}

/** `36 25 0:30 ROOT POINT rw,… [tags] - TYPE source OPTIONS`; spaces in paths are octal. */
function mountOf(line: string): Mount[] {
  const [before = '', after] = line.split(' - ')
  if (after === undefined) return []
  const [root = '', point = ''] = before.split(' ').slice(3, 5).map(unescaped)
  const [type = '', , options = ''] = after.split(' ')
  return [{ root, point, type, options: options.split(',') }]
}

function unescaped(path: string): string {
  return path.replace(/\\(\d{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)))
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
