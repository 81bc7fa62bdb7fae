import { accessSync, constants, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isLeftover, ownName } from '../own-name.ts'
import { type Controller, type Hierarchy, hierarchies } from './hierarchy.ts'

/** Where control groups can be made: below this process's own, one folder for each controller, or the same for all. */
export type CgroupPlaces = ReadonlyMap<Controller, Pick<Hierarchy, 'version' | 'folder'>>

let found: CgroupPlaces | undefined

/** Those of this process, looked for once, and cleared of what dead processes have left. */
export function cgroupPlaces(): CgroupPlaces {
  found ??= findPlaces(hierarchies())
  return found
}

export function findPlaces(trees: readonly Hierarchy[]): CgroupPlaces {
  const places = new Map<Controller, Hierarchy>()
  for (const tree of trees.filter(({ controllers, folder }) => controllers.length > 0 && isWritable(folder))) {
    sweep(tree.folder)
    const usable = tree.version === 1 ? tree.controllers : handedDown(tree)
    for (const controller of usable) if (!places.has(controller)) places.set(controller, tree)
  }
  return places
}

/** Those that groups below a group of version 2 have. */
function handedDown({ folder, controllers }: Hierarchy): readonly Controller[] {
  const file = join(folder, 'cgroup.subtree_control')
  const missing = controllers.filter((name) => !wordsOf(file).includes(name))
  if (missing.length > 0 && !handDown(file, missing)) moveAside(folder, () => handDown(file, missing))
  return controllers.filter((name) => wordsOf(file).includes(name))
}

function handDown(file: string, controllers: readonly Controller[]): boolean {
  return attempt(() => writeFileSync(file, controllers.map((name) => `+${name}`).join(' ')))
}

/**
 * A group that has groups with controllers below it may have no processes itself. Where this one is the only process it moves into
 * a group of its own; others are not ours to move.
 */
function moveAside(folder: string, then: () => boolean): void {
  if (wordsOf(join(folder, 'cgroup.procs')).join() !== String(process.pid)) return
  const aside = join(folder, `${ownName()}host`)
  const move = (to: string): boolean => attempt(() => writeFileSync(join(to, 'cgroup.procs'), String(process.pid)))
  if (!attempt(() => mkdirSync(aside))) return
  if (move(aside) && then()) return
  move(folder)
  attempt(() => rmdirSync(aside))
}

function sweep(folder: string): void {
  for (const name of readdirSync(folder).filter(isLeftover)) attempt(() => rmdirSync(join(folder, name)))
}

function isWritable(folder: string): boolean {
  const files = [folder, join(folder, 'cgroup.procs')]
  return attempt(() => {
    for (const path of files) accessSync(path, constants.W_OK)
  })
}

function wordsOf(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split(/\s+/).filter(Boolean)
  } catch {
    return []
  }
}

function attempt(work: () => void): boolean {
  try {
    work()
    return true
  } catch {
    return false
  }
}
