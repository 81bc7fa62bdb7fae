import type { OpenOptions } from '@codeact/spec'
import type Docker from 'dockerode'
import { bounded } from './bounded.ts'
import { dockerError, statusOf, wordsOf } from './docker-error.ts'
import { badName, pullFailed } from './image-error.ts'
import type { ImageName } from './image-name.ts'
import { jsonLines } from './json-lines.ts'
import { type PullLine, PullProgress } from './pull-progress.ts'
import type { Credentials } from './registry-credentials.ts'

export interface PullOptions extends Pick<OpenOptions, 'onProgress' | 'signal'> {
  readonly credentials: Credentials | undefined
  /** Milliseconds without a word from Docker after which the pull counts as hung. */
  readonly patience: number
}

/** What has not changed much is not told anew before this. */
const QUIET_MS = 500

/** Brings an image from its registry; `onProgress` hears of layers and bytes now and then. Nothing goes on after an abort. */
export async function pullImage(docker: Docker, name: ImageName, options: PullOptions): Promise<void> {
  const { signal, onProgress, patience } = options
  const pulling = new AbortController()
  const progress = new PullProgress(name.text)
  onProgress?.({ message: `Pulling the image ${name.text}, which is not here yet` })
  let toldAt = Date.now()
  try {
    const lines = jsonLines(
      await bounded(WORDS, patience, () => request(docker, name, options, pulling.signal), signal),
    )
    while (true) {
      const { value, done } = await bounded(WORDS, patience, () => lines.next(), signal)
      if (done === true) return
      const line = value as PullLine
      if (line.error !== undefined) throw pullFailed(name.text, line.error)
      if (!progress.add(line) && Date.now() - toldAt < QUIET_MS) continue
      toldAt = Date.now()
      onProgress?.(progress.now)
    }
  } catch (error) {
    throw signal?.aborted === true ? signal.reason : pullError(name.text, error)
  } finally {
    pulling.abort()
  }
}

const WORDS = 'go on pulling the image'

/** Without a tag the daemon would pull every image of the repository. */
function request(docker: Docker, { text, isExact }: ImageName, { credentials }: PullOptions, abortSignal: AbortSignal) {
  const what = isExact ? { fromImage: text } : { fromImage: text, tag: 'latest' }
  return docker.createImage(credentials, { ...what, abortSignal })
}

function pullError(name: string, error: unknown): unknown {
  const status = statusOf(error)
  if (status === undefined) return dockerError('pull the image', error)
  return status === 400 ? badName(name, wordsOf(error)) : pullFailed(name, wordsOf(error), error)
}
