import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CodeActError } from '@codeact/spec'

/** Who both sides are. */
export interface Tls {
  /** Who signed for the daemon; where it is missing, those that the system trusts. */
  readonly ca?: Buffer
  readonly cert?: Buffer
  readonly key?: Buffer
  /** Whether any daemon will do: a wish that only contexts and `DOCKER_TLS` can have. */
  readonly isUnverified: boolean
}

/** The files `ca.pem`, `cert.pem` and `key.pem` of a folder; undefined where it has none of them. */
export async function readTls(folder: string, isUnverified: boolean): Promise<Tls | undefined> {
  const [ca, cert, key] = await Promise.all(
    ['ca.pem', 'cert.pem', 'key.pem'].map((name) => readIfThere(join(folder, name))),
  )
  if ((cert === undefined) !== (key === undefined)) throw half(folder, cert === undefined ? 'cert.pem' : 'key.pem')
  return ca === undefined && cert === undefined ? undefined : { ca, cert, key, isUnverified }
}

async function readIfThere(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path)
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw unreadable(path, error)
  }
}

function half(folder: string, missing: string): CodeActError {
  return new CodeActError(
    'EXECUTOR_UNAVAILABLE',
    `Of the certificates for Docker, ${join(folder, missing)} is missing.`,
    {
      hint: `cert.pem and key.pem go together: put ${missing} beside the other, or take both away.`,
    },
  )
}

function unreadable(path: string, cause: unknown): CodeActError {
  const why = (cause as Error).message
  return new CodeActError('EXECUTOR_UNAVAILABLE', `A certificate for Docker cannot be read: ${why}.`, {
    hint: `Make it yours: sudo chown $USER ${path}`,
    cause,
  })
}
