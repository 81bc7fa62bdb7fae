import type { OpenOptions } from '@codeact/spec'
import type Docker from 'dockerode'
import { bounded } from './bounded.ts'
import { inspectImage } from './calls.ts'
import type { Environment } from './config-folder.ts'
import { dockerError, statusOf, wordsOf } from './docker-error.ts'
import { badName, notFound } from './image-error.ts'
import { type ImageName, parseImageName } from './image-name.ts'
import { PATIENCE, type Patience } from './patience.ts'
import { pullImage } from './pull.ts'
import { registryCredentials } from './registry-credentials.ts'

/** An image as it was found, so that what runs is what was looked at, whatever its name points to later. */
export interface ResolvedImage {
  /** `sha256:…`. */
  readonly id: string
  /** Folders that it declares as volumes, each of which would be a folder of the host without a limit. */
  readonly volumes: readonly string[]
}

export interface ResolveOptions extends Pick<OpenOptions, 'onProgress' | 'signal'> {
  /** Where the logins to registries are looked for. Default `process.env`. */
  readonly env?: Environment
  readonly patience?: Patience
}

/**
 * Finds an image by its name or id, and pulls it first where it is missing, telling `onProgress`.
 *
 * Rejects with `OPTION_INVALID` where the name is none, `EXECUTOR_UNAVAILABLE` where the image cannot be had, each with what to
 * type; with the signal's reason at an abort.
 */
export async function resolveImage(
  docker: Docker,
  text: string,
  { onProgress, signal, env = process.env, patience = PATIENCE }: ResolveOptions = {},
): Promise<ResolvedImage> {
  const name = parseImageName(text)
  if (name === undefined) throw badName(text, 'it has characters, or an order of them, that names do not have')
  const find = (): Promise<ResolvedImage | undefined> => findImage(docker, name, patience.inspect, signal)
  const here = await find()
  if (here !== undefined) return here
  if (name.isId) throw notFound(text, 'it is an id, and no registry knows those')
  const credentials = await registryCredentials(name.registry, env)
  await pullImage(docker, name, { onProgress, signal, credentials, patience: patience.pull })
  const pulled = await find()
  if (pulled === undefined) throw notFound(text, 'it was pulled, and is not there')
  return pulled
}

async function findImage(
  docker: Docker,
  { text }: ImageName,
  ms: number,
  signal: AbortSignal | undefined,
): Promise<ResolvedImage | undefined> {
  const inspect = (abortSignal: AbortSignal) => inspectImage(docker, text, abortSignal)
  try {
    const { Id, Config } = await bounded(`look for the image ${text}`, ms, inspect, signal)
    return { id: Id, volumes: Object.keys(Config?.Volumes ?? {}) }
  } catch (error) {
    if (signal?.aborted === true) throw signal.reason
    if (statusOf(error) === 404) return undefined
    throw statusOf(error) === 400 ? badName(text, wordsOf(error)) : dockerError(`look for the image ${text}`, error)
  }
}
