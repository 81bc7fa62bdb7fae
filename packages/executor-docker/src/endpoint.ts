import { CodeActError } from '@codeact/spec'
import { configFolder, type Environment } from './config-folder.ts'
import type { SshHost } from './ssh.ts'
import { readTls, type Tls } from './tls-files.ts'

/** Where a Docker listens. */
export type Endpoint = Place & {
  /** As an URL, for a person and for nothing else. */
  readonly url: string
  /** Who named it, for a person: `DOCKER_HOST`. */
  readonly namedBy: string
}

type Place =
  | { readonly kind: 'socket'; readonly path: string }
  | { readonly kind: 'tcp'; readonly hostname: string; readonly port: number; readonly tls: Tls | undefined }
  | ({ readonly kind: 'ssh' } & SshHost)

const PLAIN_PORT = 2375
const TLS_PORT = 2376

/**
 * What a host such as `tcp://10.0.0.5:2376` stands for. TLS is by `DOCKER_TLS_VERIFY` and `DOCKER_CERT_PATH`, as the `docker` command
 * has it, unless `tls` is given; throws `EXECUTOR_UNAVAILABLE` where its files are missing, `OPTION_INVALID` where the host is none.
 */
export async function endpointAt(host: string, namedBy: string, env: Environment, tls?: Tls): Promise<Endpoint> {
  const named = { url: host, namedBy }
  const path = /^(?:unix|npipe):\/\/(\/.+)$/.exec(host)?.[1]
  if (path !== undefined) return { ...named, kind: 'socket', path }
  const url = parseUrl(host)
  // In an URL the address stands in brackets, for a socket it does not.
  const hostname = url?.hostname.replace(/^\[(.*)\]$/, '$1')
  if (url === undefined || !hostname) throw badHost(host, namedBy)
  if (url.protocol === 'ssh:') {
    const username = decodeURIComponent(url.username) || undefined
    return { ...named, kind: 'ssh', hostname, port: url.port === '' ? undefined : Number(url.port), username }
  }
  const isSecure = tls !== undefined || wantsTls(url, env)
  const port = Number(url.port || (isSecure ? TLS_PORT : PLAIN_PORT))
  return { ...named, kind: 'tcp', hostname, port, tls: isSecure ? (tls ?? (await tlsBy(env))) : undefined }
}

function parseUrl(host: string): URL | undefined {
  const text = host.includes('://') ? host : `tcp://${host}`
  if (!/^(tcp|https?|ssh):\/\//.test(text) || !URL.canParse(text)) return undefined
  const url = new URL(text)
  // The usual port of the web is not Docker's: an URL forgets it, so that it has to be looked for.
  if (url.protocol.startsWith('http') && url.port === '') url.port = /:(80|443)(\/|$)/.exec(text)?.[1] ?? ''
  return url
}

function wantsTls(url: URL, env: Environment): boolean {
  const asked = Boolean(env.DOCKER_TLS_VERIFY || env.DOCKER_TLS)
  return url.protocol === 'https:' || (url.protocol === 'tcp:' && (asked || url.port === String(TLS_PORT)))
}

async function tlsBy(env: Environment): Promise<Tls> {
  const isUnverified = !env.DOCKER_TLS_VERIFY && Boolean(env.DOCKER_TLS)
  const found = await readTls(env.DOCKER_CERT_PATH || configFolder(env), isUnverified)
  if (found === undefined && env.DOCKER_CERT_PATH) throw noCertificates(env.DOCKER_CERT_PATH)
  return found ?? { isUnverified }
}

function noCertificates(folder: string): CodeActError {
  return new CodeActError(
    'EXECUTOR_UNAVAILABLE',
    `The certificates for Docker are not in ${folder}, where DOCKER_CERT_PATH says.`,
    {
      hint: 'Put ca.pem, cert.pem and key.pem there, or point DOCKER_CERT_PATH at the folder that has them.',
    },
  )
}

function badHost(host: string, namedBy: string): CodeActError {
  return new CodeActError(
    'OPTION_INVALID',
    `docker(): ${JSON.stringify(host)}, which ${namedBy} says, is no host of Docker.`,
    {
      hint: 'Write unix:///path/to/docker.sock, tcp://host:2376, https://host, npipe:////./pipe/docker_engine or ssh://user@host.',
    },
  )
}
