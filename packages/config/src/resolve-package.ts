import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { createJiti } from 'jiti'
import { runsFromSource } from './runs-from-source.ts'

const CONDITIONS = [...(runsFromSource ? ['@codeact/source'] : []), 'node', 'import']

/**
 * The URL of a package's entry, found as an `import` in a file of the folder would find it: in the folder, else beside this
 * package. Undefined when it is in neither.
 */
export function resolvePackage(name: string, folder: string): string | undefined {
  const here = dirname(fileURLToPath(import.meta.url))
  return resolveFrom(folder, name) ?? resolveFrom(here, name)
}

function resolveFrom(folder: string, name: string): string | undefined {
  const parentURL = pathToFileURL(join(folder, 'codeact.config.mjs')).href
  const jiti = createJiti(parentURL, { fsCache: false })
  const found = jiti.esmResolve(name, { parentURL, conditions: CONDITIONS, try: true })
  return found === undefined || found.startsWith('file:') ? found : pathToFileURL(found).href
}
