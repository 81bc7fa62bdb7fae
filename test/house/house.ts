import { brought, floors } from './floors.ts'
import { type Module, readModule } from './module.ts'
import type { Tree } from './tree.ts'

/** The whole of it: what the checks read. */
export interface House {
  readonly tree: Tree
  readonly packages: readonly Package[]
  readonly floors: Readonly<Record<string, number>>
  readonly brought: Readonly<Record<string, readonly string[]>>
}

export interface Package {
  readonly name: string
  /** `packages/spec` */
  readonly folder: string
  readonly manifest: Manifest
  /** What is published: `src` and the folders beside it that `files` lists. */
  readonly source: readonly Module[]
  /** Paths from the package's folder. */
  readonly files: ReadonlySet<string>
}

export interface Manifest {
  readonly name: string
  readonly version?: string
  readonly license?: string
  readonly type?: string
  readonly sideEffects?: boolean
  readonly engines?: Readonly<Record<string, string>>
  readonly bin?: Readonly<Record<string, string>>
  readonly exports?: Readonly<Record<string, string | Readonly<Record<string, string>>>>
  readonly files?: readonly string[]
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

/** Reads the packages of a tree. */
export function readHouse(tree: Tree, rules = { floors, brought }): House {
  const folders = [...tree.keys()].flatMap(
    (path) => /^((?:packages|apps)\/[^/]+)\/package\.json$/.exec(path)?.[1] ?? [],
  )
  return { tree, ...rules, packages: folders.map((folder) => readPackage(tree, folder)) }
}

function readPackage(tree: Tree, folder: string): Package {
  const paths = [...tree.keys()].filter((path) => path.startsWith(`${folder}/`))
  const files = new Set(paths.map((path) => path.slice(folder.length + 1)))
  const manifest: Manifest = JSON.parse(tree.get(`${folder}/package.json`) ?? '{}')
  const published = [...(manifest.files ?? []), 'src'].map((entry) => `${folder}/${entry}/`)
  const source = paths
    .filter((path) => isCode(path) && published.some((start) => path.startsWith(start)))
    .map((path) => readModule(path, tree.get(path) ?? ''))
  return { name: manifest.name, folder, manifest, source, files }
}

/** What can be read as a module. */
const isCode = (path: string): boolean => /\.(ts|mjs|js)$/.test(path)

/** `zod` of `zod/v4`, `@codeact/spec` of itself; nothing for relative paths and what Node brings. */
export function packageOf(specifier: string): string | undefined {
  if (/^(\.|\/|#|node:)/.test(specifier)) return undefined
  const parts = specifier.split('/')
  return parts.slice(0, specifier.startsWith('@') ? 2 : 1).join('/')
}
