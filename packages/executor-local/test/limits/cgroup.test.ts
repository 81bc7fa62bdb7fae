import { existsSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Cgroup } from '../../src/limits/cgroup.ts'
import { findPlaces } from '../../src/limits/cgroup-places.ts'
import type { Hierarchy } from '../../src/limits/hierarchy.ts'
import { checkLimits } from '../../src/limits/settings.ts'
import { ownName } from '../../src/own-name.ts'

// Folders that look like control groups of version 2: the files are plain ones, which take whatever is written to them.

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'codeact-test-'))
})
afterEach(() => rm(folder, { recursive: true }))

async function group(files: Readonly<Record<string, string>>): Promise<Hierarchy> {
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  return { version: 2, folder, controllers: ['cpu', 'memory', 'pids'] }
}

const made = async (): Promise<string[]> => (await readdir(folder)).filter((name) => name.startsWith('codeact-'))

describe('where groups can be made', () => {
  it('is a group that hands its controllers down', async () => {
    const tree = await group({ 'cgroup.procs': '1\n', 'cgroup.subtree_control': 'cpu memory pids\n' })
    expect([...findPlaces([tree]).keys()].sort()).toEqual(['cpu', 'memory', 'pids'])
  })

  it('is one that this process is alone in, once it has moved aside', async () => {
    const tree = await group({ 'cgroup.procs': `${process.pid}\n` })
    await mkdir(join(folder, 'cgroup.subtree_control')) // Refuses to be written, as a group with processes does.
    expect(findPlaces([tree]).size).toBe(0)
    expect(await readFile(join(folder, 'cgroup.procs'), 'utf8')).toBe(String(process.pid))
  })

  it('is none that it shares with others', async () => {
    const tree = await group({ 'cgroup.procs': `${process.pid}\n1\n` })
    await mkdir(join(folder, 'cgroup.subtree_control'))
    expect(findPlaces([tree]).size).toBe(0)
    expect(await made()).toEqual([])
  })

  it('is none that does not exist', () => {
    expect(findPlaces([{ version: 1, folder: '/nonexistent', controllers: ['memory'] }]).size).toBe(0)
  })

  it('is cleared of what a dead process has left, and of nothing else', async () => {
    const tree = await group({ 'cgroup.procs': '1\n', 'cgroup.subtree_control': 'memory pids cpu' })
    const living = `${ownName()}here`
    const dead = living.replace(`-${process.pid}-`, '-4194305-')
    for (const name of [living, dead, 'codeact-of-somebody']) await mkdir(join(folder, name))
    findPlaces([tree])
    expect((await made()).sort()).toEqual([living, 'codeact-of-somebody'].sort())
  })
})

describe('a group of version 2', () => {
  it('has the limits written, swap among them, and takes the process in', async () => {
    const tree = await group({ 'cgroup.procs': '1\n', 'cgroup.subtree_control': 'memory pids cpu' })
    const limits = checkLimits({ limits: { memory: '64m', processes: 20, cpus: 0.5 } })
    const cgroup = Cgroup.create(findPlaces([tree]), limits)
    const [name = ''] = await made()
    const file = (of: string): string => readFileSync(join(folder, name, of), 'utf8')
    expect(['memory.max', 'memory.swap.max', 'pids.max', 'cpu.max'].map(file)).toEqual([
      String(64 * 1024 ** 2),
      '0',
      '20',
      '50000 100000',
    ])
    expect([cgroup.doors, cgroup.isAdmitting]).toEqual([0, true])
    await cgroup.admit(4194305)
    expect(file('cgroup.procs')).toBe('4194305')
    expect(cgroup.processes()).toEqual([4194305])
    await writeFile(join(folder, name, 'memory.events'), 'low 0\nhigh 0\nmax 7\noom 1\noom_kill 3\noom_group_kill 0\n')
    expect(cgroup.oomKills()).toBe(3)
    await rm(join(folder, name), { recursive: true })
    await cgroup.remove()
  })

  it('has no limit on processors where none was asked for', async () => {
    const tree = await group({ 'cgroup.procs': '1\n', 'cgroup.subtree_control': 'memory pids cpu' })
    const cgroup = Cgroup.create(findPlaces([tree]), checkLimits({}))
    const [name = ''] = await made()
    expect(existsSync(join(folder, name, 'cpu.max'))).toBe(false)
    await rm(join(folder, name), { recursive: true })
    await cgroup.remove()
  })
})
