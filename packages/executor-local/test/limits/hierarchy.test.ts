import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { hierarchies } from '../../src/limits/hierarchy.ts'

let root: string
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'codeact-test-'))
})
afterAll(() => rm(root, { recursive: true }))

/** A process's folder as `/proc` would have it. */
async function proc(mountinfo: readonly string[], cgroup: readonly string[]): Promise<string> {
  const folder = await mkdtemp(join(root, 'proc-'))
  await writeFile(join(folder, 'mountinfo'), mountinfo.join('\n'))
  await writeFile(join(folder, 'cgroup'), cgroup.join('\n'))
  return folder
}

it('of version 1 there are several, each with its own folder', async () => {
  const folder = await proc(
    [
      '30 20 0:26 / /sys/fs/cgroup/memory rw,nosuid - cgroup cgroup rw,memory',
      '31 20 0:27 / /sys/fs/cgroup/cpu,cpuacct rw,nosuid shared:3 - cgroup cgroup rw,cpu,cpuacct',
      '32 20 0:28 / /a\\040b rw - cgroup cgroup rw,pids',
      '33 20 0:29 / /sys/fs/cgroup/blkio rw - cgroup cgroup rw,blkio',
    ],
    ['4:memory:/app/one', '3:cpu,cpuacct:/', '2:pids:/two', '1:blkio:/'],
  )
  expect(hierarchies(folder).filter(({ controllers }) => controllers.length > 0)).toEqual([
    { version: 1, folder: '/sys/fs/cgroup/memory/app/one', controllers: ['memory'] },
    { version: 1, folder: '/sys/fs/cgroup/cpu,cpuacct', controllers: ['cpu'] },
    { version: 1, folder: '/a b/two', controllers: ['pids'] },
  ])
})

it('of version 2 there is one, and its controllers are those that were handed down to it', async () => {
  const tree = join(root, 'unified')
  await mkdir(join(tree, 'user.slice/app.scope'), { recursive: true })
  await writeFile(join(tree, 'user.slice/app.scope/cgroup.controllers'), 'cpuset memory pids\n')
  const folder = await proc([`30 20 0:26 / ${tree} rw - cgroup2 cgroup2 rw,nsdelegate`], ['0::/user.slice/app.scope'])
  expect(hierarchies(folder)).toEqual([
    { version: 2, folder: join(tree, 'user.slice/app.scope'), controllers: ['memory', 'pids'] },
  ])
})

it('inside a container the folder is counted from what is mounted, and what lies outside is not reached', async () => {
  const mount = '30 20 0:26 /docker/abc /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory'
  expect(hierarchies(await proc([mount], ['4:memory:/docker/abc/sub']))).toEqual([
    { version: 1, folder: '/sys/fs/cgroup/memory/sub', controllers: ['memory'] },
  ])
  expect(hierarchies(await proc([mount], ['4:memory:/docker/abcd']))).toEqual([])
  expect(hierarchies(await proc([mount], ['4:memory:/../other']))).toEqual([])
})

it('where there is no such folder there are none', () => {
  expect(hierarchies('/nonexistent')).toEqual([])
})
