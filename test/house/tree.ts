import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Files: their paths from the repository's folder, with `/`, and what those of text hold. */
export type Tree = ReadonlyMap<string, string>

const generated = new Set(['node_modules', 'dist', 'coverage', '__pycache__'])
const text = /\.(ts|mjs|js|py|sh|json|md)$/

/** Reads what is checked of the house: every package, and how they are released. */
export function readTree(root: string): Tree {
  const paths = ['packages', 'apps'].flatMap((folder) => walk(root, folder))
  const read = (path: string) => (text.test(path) ? readFileSync(join(root, path), 'utf8') : '')
  return new Map(['.changeset/config.json', ...paths].map((path) => [path, read(path)]))
}

function walk(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory()) return generated.has(entry.name) || entry.name.startsWith('.') ? [] : walk(root, path)
    return [path]
  })
}
