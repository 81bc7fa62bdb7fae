import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { pathToFileURL } from 'node:url'
import { CodeActError } from '@codeact/spec'
import { createJiti } from 'jiti'
import { configInvalid, type Origin } from './config-error.ts'
import { runsFromSource } from './runs-from-source.ts'

/**
 * What a config file holds, not checked yet.
 *
 * @throws CodeActError `CONFIG_INVALID` when the file cannot be read or run; what the file itself throws as a `CodeActError`
 * passes through
 */
export async function readConfig(file: string, origin: Origin): Promise<unknown> {
  const read = READERS[extname(file)]
  if (!read) throw configInvalid(origin, [{ path: '', text: 'expected a file that ends in .ts, .mjs or .json' }])
  const value = await read(file).catch((error: unknown) => {
    if (CodeActError.is(error)) throw error
    throw configInvalid(origin, [{ path: '', text: error instanceof Error ? error.message : String(error) }], error)
  })
  if (value === undefined) throw configInvalid(origin, [{ path: '', text: 'expected a default export, got none' }])
  return value
}

const READERS: Readonly<Record<string, (file: string) => Promise<unknown>>> = {
  '.json': async (file) => JSON.parse((await readFile(file, 'utf8')).replace(/^\uFEFF/, '')),
  '.mjs': async (file) => defaultOf(await import(pathToFileURL(file).href)),
  '.js': async (file) => defaultOf(await import(pathToFileURL(file).href)),
  '.ts': readTypeScript,
  '.mts': readTypeScript,
}

async function readTypeScript(file: string): Promise<unknown> {
  const jiti = createJiti(file, { fsCache: false, tryNative: runsFromSource })
  return defaultOf(await jiti.import<object>(file))
}

function defaultOf(module: object): unknown {
  return 'default' in module ? module.default : undefined
}
