import { randomBytes } from 'node:crypto'
import { closeSync, mkdirSync, openSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { ownName } from '../own-name.ts'
import type { CgroupPlaces } from './cgroup-places.ts'
import type { Controller, Hierarchy } from './hierarchy.ts'
import type { LimitSettings } from './settings.ts'

/** Microseconds in which processor time is counted. */
const PERIOD = 100_000

/** A process that was killed needs a moment until it is gone. */
const REMOVE_TRIES = 100
const REMOVE_PAUSE_MS = 5
const LAST_TRIES = 20
const LAST_PAUSE_MS = 2

type File = readonly [name: string, value: string]

const open = new Set<Cgroup>()

/** The control group of one sandbox, whatever number of folders that is. Removed with it, or at the exit of this process. */
export class Cgroup {
  readonly #folders: readonly string[]
  /** Those by whose list of tasks a process enters by itself, quickly; into the others it is put. */
  readonly #withDoors: readonly string[]
  readonly #oomFile: string | undefined

  /** With those limits for which there are places. Throws what the system says where it refuses. */
  static create(places: CgroupPlaces, limits: LimitSettings): Cgroup {
    const name = `${ownName()}${randomBytes(6).toString('hex')}`
    const wanted = [...places].filter(([controller]) => controller !== 'cpu' || limits.cpus !== undefined)
    const made = wanted.map(([, { version, folder }]) => ({ version, folder: join(folder, name) }))
    const group = new Cgroup(made, oomFile(places, name))
    if (open.size === 0) process.on('exit', removeAll)
    open.add(group)
    try {
      for (const folder of group.#folders) mkdirSync(folder)
      for (const [controller, { version, folder }] of wanted)
        set(join(folder, name), FILES[version][controller](limits))
    } catch (error) {
      group.removeNow()
      throw error
    }
    return group
  }

  private constructor(made: readonly Pick<Hierarchy, 'version' | 'folder'>[], oomFile: string | undefined) {
    this.#folders = unique(made.map(({ folder }) => folder))
    this.#withDoors = unique(made.flatMap(({ version, folder }) => (version === 1 ? [folder] : [])))
    this.#oomFile = oomFile
  }

  /** How many doors there are. */
  get doors(): number {
    return this.#withDoors.length
  }

  /** Has a process started with the doors among its descriptors: see `ProcessLimits`. */
  withOpenDoors<T>(start: (doors: readonly number[]) => T): T {
    const doors = this.#withDoors.map((folder) => openSync(join(folder, 'tasks'), 'w'))
    try {
      return start(doors)
    } finally {
      for (const door of doors) closeSync(door)
    }
  }

  /** Whether there are groups without doors. */
  get isAdmitting(): boolean {
    return this.#withDoors.length < this.#folders.length
  }

  /** Puts a process into those: it and all that it will start. What it has started before is not among them. */
  async admit(pid: number): Promise<void> {
    for (const folder of this.#folders.filter((one) => !this.#withDoors.includes(one))) {
      await writeFile(join(folder, 'cgroup.procs'), String(pid))
    }
  }

  processes(): number[] {
    const [folder] = this.#folders
    return folder === undefined ? [] : processesIn(folder)
  }

  /** How often the system has killed here for want of memory. */
  oomKills(): number {
    if (this.#oomFile === undefined) return 0
    return Number(/^oom_kill (\d+)$/m.exec(read(this.#oomFile))?.[1] ?? 0)
  }

  async remove(): Promise<void> {
    for (let tries = 0; !this.#isRemoved() && tries < REMOVE_TRIES; tries++) await pause(REMOVE_PAUSE_MS)
    this.#release()
  }

  removeNow(): void {
    for (let tries = 0; !this.#isRemoved() && tries < LAST_TRIES; tries++) sleep(LAST_PAUSE_MS)
    this.#release()
  }

  /** What still is in it must go. */
  #isRemoved(): boolean {
    return this.#folders.every((folder) => {
      for (const pid of processesIn(folder)) kill(pid)
      try {
        rmdirSync(folder)
      } catch (error) {
        return (error as NodeJS.ErrnoException).code === 'ENOENT'
      }
      return true
    })
  }

  #release(): void {
    open.delete(this)
    if (open.size === 0) process.off('exit', removeAll)
  }
}

/** What is written for a limit, per version. Swap would be memory without end. */
const FILES: Readonly<Record<1 | 2, Readonly<Record<Controller, (limits: LimitSettings) => readonly File[]>>>> = {
  1: {
    memory: ({ memory }) => [
      ['memory.limit_in_bytes', String(memory)],
      ['memory.memsw.limit_in_bytes', String(memory)],
      ['memory.swappiness', '0'],
    ],
    pids: ({ processes }) => [['pids.max', String(processes)]],
    cpu: ({ cpus }) => [
      ['cpu.cfs_period_us', String(PERIOD)],
      ['cpu.cfs_quota_us', quota(cpus)],
    ],
  },
  2: {
    memory: ({ memory }) => [
      ['memory.max', String(memory)],
      ['memory.swap.max', '0'],
    ],
    pids: ({ processes }) => [['pids.max', String(processes)]],
    cpu: ({ cpus }) => [['cpu.max', `${quota(cpus)} ${PERIOD}`]],
  },
}

/** Where the system does not count swap there is no file for it. */
const OPTIONAL = ['memory.memsw.limit_in_bytes', 'memory.swappiness', 'memory.swap.max']

function quota(cpus = 1): string {
  return String(Math.max(1000, Math.round(cpus * PERIOD)))
}

function set(folder: string, files: readonly File[]): void {
  for (const [name, value] of files) {
    try {
      writeFileSync(join(folder, name), value)
    } catch (error) {
      if (!(OPTIONAL.includes(name) && isNotThere(error))) throw error
    }
  }
}

/** No file can be made in such a folder, and so the system says that it may not. */
function isNotThere(error: unknown): boolean {
  return ['ENOENT', 'EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')
}

function unique(folders: readonly string[]): readonly string[] {
  return [...new Set(folders)]
}

function oomFile(places: CgroupPlaces, name: string): string | undefined {
  const place = places.get('memory')
  return place && join(place.folder, name, place.version === 1 ? 'memory.oom_control' : 'memory.events')
}

function removeAll(): void {
  for (const group of open) group.removeNow()
}

function processesIn(folder: string): number[] {
  return read(join(folder, 'cgroup.procs'))
    .split('\n')
    .map(Number)
    .filter((pid) => pid > 0)
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It is gone already.
  }
}

function sleep(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}
