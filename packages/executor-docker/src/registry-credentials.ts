import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { configFolder, type Environment } from './config-folder.ts'

/** As the engine takes them with a pull. */
export interface Credentials {
  readonly username?: string
  readonly password?: string
  readonly identitytoken?: string
  readonly serveraddress: string
}

interface Entry {
  readonly auth?: string
  readonly identitytoken?: string
}

const DOCKER_HUB = 'https://index.docker.io/v1/'

/**
 * What `docker login` has left for a registry in Docker's `config.json`, where it is plainly there. What a credential helper keeps
 * is not asked for: `docker pull` does that. `registry` undefined is Docker's own.
 */
export async function registryCredentials(
  registry: string | undefined,
  env: Environment,
): Promise<Credentials | undefined> {
  const entries = Object.entries(await readAuths(env))
  const [serveraddress, entry] = entries.find(([address]) => isSame(address, registry ?? DOCKER_HUB)) ?? []
  if (serveraddress === undefined || entry === undefined) return undefined
  if (entry.identitytoken) return { identitytoken: entry.identitytoken, serveraddress }
  const [username, ...password] = Buffer.from(entry.auth ?? '', 'base64')
    .toString('utf8')
    .split(':')
  return username ? { username, password: password.join(':'), serveraddress } : undefined
}

async function readAuths(env: Environment): Promise<Readonly<Record<string, Entry>>> {
  try {
    const config: unknown = JSON.parse(await readFile(join(configFolder(env), 'config.json'), 'utf8'))
    return (config as { auths?: Record<string, Entry> }).auths ?? {}
  } catch {
    return {}
  }
}

function isSame(one: string, other: string): boolean {
  return hostOf(one) === hostOf(other)
}

/** Old entries have a scheme and a path, new ones are the host alone. */
function hostOf(address: string): string {
  const host = address.replace(/^https?:\/\//, '').replace(/\/.*/, '')
  return host === 'docker.io' ? 'index.docker.io' : host
}
