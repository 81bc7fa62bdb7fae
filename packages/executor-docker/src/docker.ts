import { type Backend, checkpointBytes, defineExecutor, supervisedBackend } from '@codeact/sandbox'
import type { Executor, OpenOptions } from '@codeact/spec'
import type Docker from 'dockerode'
import { capabilities } from './capabilities.ts'
import { connectDocker } from './connection.ts'
import { DEFAULT_IMAGE, type DockerOptions } from './docker-options.ts'
import { checkEngine, type Engine, inspectEngine } from './engine.ts'
import { resolveImage } from './image.ts'
import { FORKS } from './mounts.ts'
import { removeLeftovers } from './reaper.ts'
import { checkSettings } from './settings.ts'
import { startPlace } from './start-place.ts'

/** Runs code in a container, locked down: without network, host files, rights or ways to get any, and with a limit on everything. */
export function docker(options: DockerOptions = {}): Executor {
  const daemon = once(() => reach(options))
  return defineExecutor({
    name: 'docker',
    languages: ['python'],
    options,
    unsupported: {
      'network.allow': 'a container has the whole network or none',
    },
    openBackend: async (open) => openBackend(await daemon(), options, open),
  })
}

interface Daemon {
  readonly docker: Docker
  readonly engine: Engine
}

async function reach(options: DockerOptions): Promise<Daemon> {
  const docker = await connectDocker(options)
  void removeLeftovers(docker)
  return { docker, engine: await inspectEngine(docker) }
}

async function openBackend({ docker, engine }: Daemon, options: DockerOptions, open: OpenOptions): Promise<Backend> {
  const settings = checkSettings(options)
  const unkept = checkEngine(engine, options, settings)
  const name = options.image ?? DEFAULT_IMAGE
  const image = await resolveImage(docker, name, open)
  const checkpoints = checkpointBytes('docker', options)
  return supervisedBackend({
    ...(checkpoints === undefined ? {} : { forks: FORKS }),
    checkpointBytes: checkpoints,
    memory: settings.memory,
    start: (receive) => startPlace({ docker, settings, image, name }, receive),
    capabilities: (up) => capabilities(up, settings, unkept, checkpoints !== undefined),
  })
}

/** A promise that is made when it is first asked for, and again where it failed. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    made.catch(() => {
      made = undefined
    })
    return made
  }
}
