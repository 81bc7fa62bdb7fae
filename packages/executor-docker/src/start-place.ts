import { type ChannelEnd, type Place, pythonSupervisorStart } from '@codeact/sandbox'
import { CodeActError, newId } from '@codeact/spec'
import type Docker from 'dockerode'
import { startContainer } from './container.ts'
import type { ContainerEnd } from './container-end.ts'
import { containerOptions } from './container-options.ts'
import type { ResolvedImage } from './image.ts'
import { ownerLabels } from './owner-labels.ts'
import type { Settings } from './settings.ts'

interface Start {
  readonly docker: Docker
  readonly settings: Settings
  readonly image: ResolvedImage
  /** Of the image, as the user has it. */
  readonly name: string
}

const LAST_WORDS = 2000
/** What an init says, with whatever words, where there is no such program. */
const NO_PROGRAM = 127

/** Starts a container with a supervisor in it. It comes over the container's stdin, so that an image needs Python and no more. */
export async function startPlace(start: Start, receive: (bytes: Uint8Array) => void): Promise<Place> {
  const { docker, settings, image } = start
  const { arguments: args, input } = pythonSupervisorStart()
  const name = `codeact-${newId('box')}`
  const labels = await ownerLabels(name)
  const create = containerOptions({ settings, image, command: ['python3', ...args], name, labels })
  let lastWords = ''
  const listen = (bytes: Uint8Array): void => {
    lastWords = (lastWords + Buffer.from(bytes).toString('utf8')).slice(-LAST_WORDS)
  }
  const container = await startContainer(docker, create, { stdout: receive, stderr: listen })
  container.write(input)
  return {
    write: (bytes) => container.write(bytes),
    closed: container.closed.then((end) => channelEnd(end, start.name, lastWords.trim())),
    setIdle: (isIdle) => (isIdle ? container.unref() : container.ref()),
    close: () => container.close(),
  }
}

/** A supervisor outlives its kernels: where it is gone, the container is, and something out of the ordinary has happened. */
function channelEnd({ reason, detail, exitCode, error }: ContainerEnd, image: string, lastWords: string): ChannelEnd {
  if (exitCode === NO_PROGRAM) return { reason: 'exit', detail: lastWords, error: noPython(image) }
  const known = reason === 'removed' || reason === 'cut' || reason === 'daemon' ? 'closed' : reason
  const how = [detail, lastWords].filter((part) => part !== '').join(': ')
  return { reason: known, detail: `the container is gone, and its files with it (${how})`, error }
}

function noPython(image: string): CodeActError {
  return new CodeActError('EXECUTOR_UNAVAILABLE', `docker(): the image ${image} has no python3.`, {
    hint: 'Name an image with Python 3.9 or newer: docker({ image: "python:3.13-slim" }).',
  })
}
