import type { House } from './house.ts'

const ceiling = 300
const code = /\.(ts|mjs|js|py|sh)$/

/** Names are exported one by one, so that a reader and a tool can follow each to where it is used. */
export function exportsHaveNames({ packages }: House): string[] {
  return packages.flatMap(({ source }) =>
    source.flatMap(({ path, exportsAll, exportsDefault }) => [
      ...(exportsAll ? [`${path} has an 'export *': name what it exports`] : []),
      ...(exportsDefault ? [`${path} has a default export: give it a name`] : []),
    ]),
  )
}

/** A file holds one idea. */
export function filesAreSmall({ packages, tree }: House): string[] {
  return packages
    .flatMap(({ folder, files }) => [...files].filter((file) => code.test(file)).map((file) => `${folder}/${file}`))
    .map((path) => ({ path, lines: (tree.get(path) ?? '').trimEnd().split('\n').length }))
    .filter(({ lines }) => lines > ceiling)
    .map(
      ({ path, lines }) =>
        `${path} has ${lines} lines, and ${ceiling} is the most: take an idea out into a file of its own`,
    )
}

/** What is to be done is done, or written down where work is planned. */
export function nothingIsLeftToDo({ packages }: House): string[] {
  return packages.flatMap(({ source }) =>
    source
      .filter(({ text }) => /\b(TODO|FIXME)\b/.test(text))
      .map(({ path }) => `${path} says TODO or FIXME: do it, or take the note out`),
  )
}
