import { createHash, randomBytes } from 'node:crypto'
import { closeSync, openSync } from 'node:fs'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Progress } from '@codeact/spec'
import { cacheFolder } from './cache-folder.ts'
import { startChild } from './child-process.ts'
import { type Installation, snapshotSources } from './installation.ts'
import { PythonProcess } from './python-process.ts'

/** Python's memory just after it has loaded, in a file: starting from it is several times faster. */
export interface Snapshot {
  readonly path: string
  /** What it was made from; the child refuses any other. */
  readonly key: string
}

type Tell = ((progress: Progress) => void) | undefined

const HOUR_MS = 3_600_000
/** Snapshots of other versions that stay beside a new one. */
const MOST_KEPT = 3

const making = new Map<string, Promise<Snapshot>>()

/**
 * The snapshot for this installation, made first where there is none. Undefined where it cannot be kept: then it goes without,
 * and `tell` hears of it.
 */
export async function findSnapshot(installation: Installation, tell: Tell): Promise<Snapshot | undefined> {
  const key = createHash('sha256')
    .update(JSON.stringify(snapshotSources(installation)))
    .digest('hex')
  const path = join(cacheFolder(), `pyodide-${key.slice(0, 16)}.snapshot`)
  if (await exists(path)) return { path, key }
  tell?.({ message: 'Making the Python snapshot (first start only, some seconds)' })
  try {
    return await made({ path, key }, installation)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    tell?.({ message: `The Python snapshot cannot be kept, so that each start takes some seconds: ${why}` })
    return undefined
  }
}

/** Removes a snapshot that Python did not start from. */
export async function discardSnapshot({ path }: Snapshot): Promise<void> {
  await rm(path, { force: true })
}

/** Sandboxes of one process that open at the same time make one snapshot between them. */
function made(snapshot: Snapshot, installation: Installation): Promise<Snapshot> {
  const known = making.get(snapshot.path)
  if (known !== undefined) return known
  const work = make(snapshot, installation).finally(() => making.delete(snapshot.path))
  making.set(snapshot.path, work)
  return work
}

/** It appears under its name only when it is whole, so that other processes may make the same one at the same time. */
async function make(snapshot: Snapshot, installation: Installation): Promise<Snapshot> {
  const folder = cacheFolder()
  await mkdir(folder, { recursive: true })
  await sweep(folder)
  const temporary = `${snapshot.path}.${randomBytes(6).toString('hex')}.tmp`
  try {
    await fill(temporary, snapshot.key, installation)
    await rename(temporary, snapshot.path)
    return snapshot
  } finally {
    await rm(temporary, { force: true })
  }
}

async function fill(path: string, key: string, installation: Installation): Promise<void> {
  const descriptor = openSync(path, 'wx', 0o600)
  const settings = {
    task: 'make-snapshot',
    maxHeapBytes: 2 ** 31,
    maxFileBytes: 2 ** 31,
    snapshot: key,
    env: {},
  } as const
  const maker = new PythonProcess(startChild(installation, settings, descriptor))
  closeSync(descriptor)
  const { detail } = await maker.closed
  if (detail !== 'snapshot made') throw new Error(detail)
}

/** Removes what crashed makers left, and the oldest snapshots. */
async function sweep(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => /^pyodide-.*\.(snapshot|tmp)$/.test(name))
  const files = await Promise.all(names.map((name) => aged(join(folder, name))))
  const snapshots = files.filter(({ path }) => path.endsWith('.snapshot')).sort((a, b) => a.ageMs - b.ageMs)
  const abandoned = files.filter(({ path, ageMs }) => path.endsWith('.tmp') && ageMs > HOUR_MS)
  for (const { path } of [...abandoned, ...snapshots.slice(MOST_KEPT)]) await rm(path, { force: true })
}

async function aged(path: string): Promise<{ path: string; ageMs: number }> {
  const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }))
  return { path, ageMs: Date.now() - mtimeMs }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  )
}
