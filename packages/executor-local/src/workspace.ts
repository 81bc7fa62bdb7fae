import { rmSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isLeftover, ownName } from './own-name.ts'

export interface Workspace {
  /** The code's working directory. */
  readonly path: string
  /** A folder for temporary files beside it. */
  readonly temporary: string
  /** One for the working directories of forks. */
  readonly forks: string
  remove(): Promise<void>
}

type Folders = [path: string, temporary: string, forks: string]

const open = new Set<string>()
/** Workspaces that are open or about to be. */
let users = 0

/** Private folders for one sandbox. They are removed with it, at the exit of this process, or by the next one after a crash. */
export async function openWorkspace(): Promise<Workspace> {
  const isFirst = users++ === 0
  if (isFirst) process.on('exit', removeAll)
  try {
    if (isFirst) await sweep()
    const root = await mkdtemp(join(tmpdir(), ownName()))
    open.add(root)
    const [path, temporary, forks] = ['workspace', 'tmp', 'forks'].map((name) => join(root, name)) as Folders
    await Promise.all([mkdir(path), mkdir(temporary), mkdir(forks)])
    return { path, temporary, forks, remove: () => remove(root) }
  } catch (error) {
    release()
    throw error
  }
}

async function remove(root: string): Promise<void> {
  await rm(root, { recursive: true, force: true, maxRetries: 3 })
  if (open.delete(root)) release()
}

function release(): void {
  if (--users === 0) process.off('exit', removeAll)
}

function removeAll(): void {
  for (const root of open) rmSync(root, { recursive: true, force: true })
}

async function sweep(): Promise<void> {
  for (const name of (await readdir(tmpdir())).filter(isLeftover)) {
    await rm(join(tmpdir(), name), { recursive: true, force: true }).catch(() => {})
  }
}
