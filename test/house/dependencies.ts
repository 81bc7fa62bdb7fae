import { type House, type Package, packageOf } from './house.ts'

/** What the source imports is declared, so that a user's install brings it. */
export function importsAreDeclared({ packages }: House): string[] {
  return packages.flatMap((pkg) =>
    pkg.source.flatMap(({ path, imports }) =>
      imports
        .map(({ specifier }) => packageOf(specifier))
        .filter((target) => target !== undefined && target !== pkg.name && !(target in declared(pkg)))
        .map((target) => `${path} imports ${target}: add it to the dependencies in ${pkg.folder}/package.json`),
    ),
  )
}

/** What is declared is used: a user pays for every dependency. */
export function dependenciesAreUsed({ packages, brought }: House): string[] {
  return packages.flatMap((pkg) => {
    const used = new Set([...pkg.source.flatMap(({ strings }) => strings.map(packageOf)), ...(brought[pkg.name] ?? [])])
    return Object.keys(declared(pkg))
      .filter((name) => !used.has(name))
      .map((name) => `${pkg.folder}/package.json declares ${name}, and its source never names it: remove it`)
  })
}

/** Our packages find each other in the workspace, and are published with a range. */
export function siblingsAreLinked({ packages, floors }: House): string[] {
  return packages.flatMap(({ folder, manifest: { dependencies, devDependencies } }) =>
    Object.entries({ ...dependencies, ...devDependencies })
      .filter(([name, range]) => name in floors && range !== 'workspace:^')
      .map(([name, range]) => `${folder}/package.json takes ${name} as '${range}': write 'workspace:^'`),
  )
}

const declared = ({ manifest }: Package) => ({ ...manifest.dependencies, ...manifest.peerDependencies })
