import { type ChannelEnd, type Place, pythonSupervisorStart } from '@codeact/sandbox'
import { CodeActError, newId } from '@codeact/spec'
import type Docker from 'dockerode'
import { startContainer } from './container.ts'
import type { ContainerEnd } from './container-end.ts'
import { containerOptions } from './container-options.ts'
import type { ResolvedImage } from './image.ts'
import { ownerLabels } from './owner.ts'
import type { Settings } from './settings.ts'

export interface Container {
  readonly daemon: Docker
  readonly settings: Settings
  readonly image: ResolvedImage
}

const LAST_WORDS = 2000
/** What an init says, with whatever words, where there is no such program. */
const NO_PROGRAM = 127

/** Starts a container with a supervisor in it. It comes over the container's stdin, so that an image needs Python and no more. */
export async function startPlace(
  { daemon, settings, image }: Container,
  receive: (bytes: Uint8Array) => void,
): Promise<Place> {
  const { arguments: args, input } = pythonSupervisorStart()
  const name = `codeact-${newId('box')}`
  const create = containerOptions({ settings, image, command: ['python3', ...args], name, labels: ownerLabels(name) })
  let lastWords = ''
  const listen = (bytes: Uint8Array): void => {
    lastWords = (lastWords + Buffer.from(bytes).toString('utf8')).slice(-LAST_WORDS)
  }
  const container = await startContainer(daemon, create, { stdout: receive, stderr: listen })
  container.write(input)
  return {
    write: (bytes) => container.write(bytes),
    closed: container.closed.then((end) => channelEnd(end, image, lastWords.trim())),
    setIdle: (isIdle) => (isIdle ? container.unref() : container.ref()),
    close: () => container.close(),
  }
}

/** In a container nothing ends with the kernel but by a supervisor that tells: its own end is always out of the ordinary. */
function channelEnd(end: ContainerEnd, image: ResolvedImage, lastWords: string): ChannelEnd {
  if (end.exitCode === NO_PROGRAM) return { reason: 'exit', detail: lastWords, error: noPython(image) }
  const { reason, detail, error } = end
  const known = reason === 'removed' || reason === 'cut' || reason === 'daemon' ? 'closed' : reason
  const words = lastWords === '' ? '' : `: ${lastWords}`
  return { reason: known, detail: `the container is gone, and its files with it (${detail}${words})`, error }
}

function noPython({ name }: ResolvedImage): CodeActError {
  return new CodeActError('EXECUTOR_UNAVAILABLE', `docker(): the image ${name} has no python3.`, {
    hint: 'Name an image with Python 3.9 or newer: docker({ image: "python:3.13-slim" }).',
  })
}
