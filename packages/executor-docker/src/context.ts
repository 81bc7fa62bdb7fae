import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CodeActError } from '@codeact/spec'
import { configFolder, type Environment } from './config-folder.ts'
import { type Endpoint, endpointAt } from './endpoint.ts'
import { readTls } from './tls-files.ts'

/** The context that stands for the usual places; it has no file. */
const DEFAULT = 'default'

interface Meta {
  readonly Name?: string
  readonly Endpoints?: { readonly docker?: { readonly Host?: string; readonly SkipTLSVerify?: boolean } }
}

/** The name that `docker context use` has left; undefined where the usual places are meant. */
export async function currentContext(env: Environment): Promise<string | undefined> {
  const config = await readJson<{ currentContext?: string }>(join(configFolder(env), 'config.json'))
  return config?.currentContext || undefined
}

/**
 * Where a context of the `docker` command leads; undefined for `default`. Throws `EXECUTOR_UNAVAILABLE` for one that is not there,
 * and names those that are.
 */
export async function contextEndpoint(name: string, namedBy: string, env: Environment): Promise<Endpoint | undefined> {
  if (name === DEFAULT) return undefined
  const contexts = join(configFolder(env), 'contexts')
  const folder = createHash('sha256').update(name).digest('hex')
  const endpoint = (await readJson<Meta>(join(contexts, 'meta', folder, 'meta.json')))?.Endpoints?.docker
  if (!endpoint?.Host) throw unknownContext(name, namedBy, await contextNames(join(contexts, 'meta')))
  const isUnverified = endpoint.SkipTLSVerify ?? false
  const tls = await readTls(join(contexts, 'tls', folder, 'docker'), isUnverified)
  const own = tls ?? (isUnverified ? { isUnverified } : undefined)
  return endpointAt(endpoint.Host, `the context ${name}`, { HOME: env.HOME }, own)
}

async function contextNames(folder: string): Promise<string[]> {
  const entries = await readdir(folder).catch(() => [])
  const metas = await Promise.all(entries.map((entry) => readJson<Meta>(join(folder, entry, 'meta.json'))))
  return [DEFAULT, ...metas.flatMap((meta) => meta?.Name ?? []).sort()]
}

async function readJson<T>(path: string): Promise<T | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as T
  } catch {
    return undefined
  }
}

function unknownContext(name: string, namedBy: string, there: readonly string[]): CodeActError {
  return new CodeActError(
    'EXECUTOR_UNAVAILABLE',
    `Docker has no context ${JSON.stringify(name)}, which ${namedBy} names.`,
    {
      hint: `There are: ${there.join(', ')}. Choose one with docker context use ${there.at(-1)}, or make it with docker context create.`,
    },
  )
}
