import { posix } from 'node:path'
import type { House, Package } from './house.ts'

const node = '>=20.19'

/** What every manifest says alike. */
export function manifestsAgree({ packages }: House): string[] {
  return packages.flatMap(({ folder, manifest }) => {
    const wanted: [field: string, actual: unknown, value: unknown][] = [
      ['name', manifest.name, `@codeact/${posix.basename(folder)}`],
      ['version', manifest.version, packages[0]?.manifest.version],
      ['license', manifest.license, 'MIT'],
      ['type', manifest.type, 'module'],
      ['sideEffects', manifest.sideEffects, false],
      ['engines.node', manifest.engines?.node, node],
    ]
    return wanted
      .filter(([, actual, value]) => actual !== value)
      .map(([field, actual, value]) => `${folder}/package.json: ${field} is ${say(actual)}: make it ${say(value)}`)
  })
}

/** A package has something to read, an entry, and a test. */
export function packagesAreWhole({ packages }: House): string[] {
  return packages.flatMap(({ folder, files, manifest }) => {
    const entry = manifest.bin ? 'src/cli.ts' : 'src/index.ts'
    const missing = ['README.md', 'tsconfig.json', entry].filter((file) => !files.has(file))
    const untested = ![...files].some((file) => /^test\/.+\.test\.ts$/.test(file))
    return [
      ...missing.map((file) => `${folder} has no ${file}: write it`),
      ...(untested ? [`${folder} has no test: write test/*.test.ts`] : []),
    ]
  })
}

/** What `exports`, `bin` and `files` promise can be built from what is there. */
export function promisesAreKept({ packages }: House): string[] {
  return packages.flatMap((pkg) => [
    ...[...new Set(targets(pkg).map(sourceOf))]
      .filter((file) => !pkg.files.has(file))
      .map((file) => `${pkg.folder}/package.json promises what ${file} would make: write it, or take the promise back`),
    ...Object.entries(pkg.manifest.exports ?? {})
      .filter(([, target]) => typeof target === 'object' && Object.keys(target)[0] !== '@codeact/source')
      .map(
        ([path]) => `${pkg.folder}/package.json: the first condition of exports['${path}'] must be '@codeact/source'`,
      ),
    ...(pkg.manifest.files ?? [])
      .filter(
        (entry) =>
          entry !== 'dist' && !entry.startsWith('!') && ![...pkg.files].some((file) => file.startsWith(`${entry}/`)),
      )
      .map(
        (entry) =>
          `${pkg.folder}/package.json publishes ${entry}, which is not there: write it, or take it out of files`,
      ),
    ...['dist', 'src']
      .filter((entry) => !pkg.manifest.files?.includes(entry))
      .map((entry) => `${pkg.folder}/package.json: add '${entry}' to files`),
  ])
}

/** One change moves every package to the same new version. */
export function releasesAreTogether({ packages, tree }: House): string[] {
  const { fixed = [] }: { fixed?: string[][] } = JSON.parse(tree.get('.changeset/config.json') ?? '{}')
  const group = fixed[0] ?? []
  return packages
    .filter(({ name }) => !group.some((pattern) => covers(pattern, name)))
    .map(({ name }) => `${name} is released apart from the others: add it to the fixed group in .changeset/config.json`)
}

function targets({ manifest }: Package): string[] {
  const exported = Object.values(manifest.exports ?? {}).flatMap((target) =>
    typeof target === 'string' ? target : Object.values(target),
  )
  return [...exported, ...Object.values(manifest.bin ?? {})]
}

/** The file that a target is built from: `src/index.ts` of `./dist/index.d.ts`. */
const sourceOf = (target: string): string => posix.normalize(target).replace(/^dist\/(.+?)(\.d\.ts|\.js)$/, 'src/$1.ts')

const covers = (pattern: string, name: string): boolean =>
  pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern

const say = (value: unknown): string => JSON.stringify(value) ?? 'missing'
