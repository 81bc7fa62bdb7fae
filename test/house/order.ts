import { posix } from 'node:path'
import { findCycle } from './cycle.ts'
import { type House, type Package, packageOf } from './house.ts'
import type { Module } from './module.ts'

/** Every package has a floor, and every floor its packages. */
export function floorsAreDeclared({ packages, floors }: House): string[] {
  const names = new Set(packages.map(({ name }) => name))
  return [
    ...[...names]
      .filter((name) => !(name in floors))
      .map((name) => `${name} has no floor: give it one in test/house/floors.ts`),
    ...Object.keys(floors)
      .filter((name) => !names.has(name))
      .map((name) => `${name} has a floor and no folder: remove it from test/house/floors.ts`),
  ]
}

/** A package imports from lower floors only. */
export function importsGoDown({ packages, floors }: House): string[] {
  return packages.flatMap(({ name, source }) =>
    source.flatMap(({ path, imports }) =>
      imports
        .map(({ specifier }) => packageOf(specifier) ?? '')
        .filter((target) => target === name || (target in floors && (floors[target] ?? 0) >= (floors[name] ?? 0)))
        .map((target) =>
          target === name
            ? `${path} imports its own package by name: import the file`
            : `${path} (floor ${floors[name]}) imports ${target} (floor ${floors[target]}): hand the object in from above, or move what both need to a lower floor`,
        ),
    ),
  )
}

/** A file reaches other packages by their names, never by a path into them. */
export function pathsStayInside({ packages }: House): string[] {
  return packages.flatMap(({ folder, source }) =>
    source.flatMap((module) =>
      relativeImports(module, () => true)
        .filter((target) => !target.startsWith(`${folder}/`))
        .map((target) => `${module.path} reaches out of its package to ${target}: import that package by its name`),
    ),
  )
}

/** No two packages wait for each other's build, be it for tests alone. */
export function packagesHaveNoCycle({ packages }: House): string[] {
  const graph = new Map(packages.map(({ name, manifest }) => [name, Object.keys(allDependencies(manifest))]))
  const cycle = findCycle(graph)
  return cycle
    ? [`packages depend on each other in a circle: ${cycle.join(' -> ')}: drop one of these dependencies`]
    : []
}

/** No two files of a package need each other to load. Types may refer to each other: they are gone by then. */
export function filesHaveNoCycle({ packages }: House): string[] {
  return packages.flatMap(({ source }) => {
    const edges = source.map((module): [string, string[]] => [
      module.path,
      relativeImports(module, (typeOnly) => !typeOnly),
    ])
    const cycle = findCycle(new Map(edges))
    return cycle
      ? [`files import each other in a circle: ${cycle.join(' -> ')}: move what both need to a file of its own`]
      : []
  })
}

function relativeImports({ path, imports }: Module, keep: (typeOnly: boolean) => boolean): string[] {
  return imports
    .filter(({ specifier, typeOnly }) => specifier.startsWith('.') && keep(typeOnly))
    .map(({ specifier }) => posix.join(posix.dirname(path), specifier))
}

const allDependencies = ({ dependencies, peerDependencies, devDependencies }: Package['manifest']) => ({
  ...dependencies,
  ...peerDependencies,
  ...devDependencies,
})
