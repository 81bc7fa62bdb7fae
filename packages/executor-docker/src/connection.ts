import { CodeActError } from '@codeact/spec'
import type Docker from 'dockerode'
import { bounded } from './bounded.ts'
import { ping } from './calls.ts'
import { clientFor } from './client.ts'
import type { Environment } from './config-folder.ts'
import { nothingFound, unreachable } from './connection-error.ts'
import { contextEndpoint, currentContext } from './context.ts'
import type { DockerOptions } from './docker-options.ts'
import { type Endpoint, endpointAt } from './endpoint.ts'
import { PATIENCE } from './patience.ts'
import { usualSockets } from './usual-sockets.ts'

export interface ConnectOptions extends Pick<DockerOptions, 'host' | 'context'> {
  readonly signal?: AbortSignal
  /** Milliseconds that each Docker has to answer. */
  readonly patience?: number
  /** Where to look when nothing is named. */
  readonly sockets?: readonly string[]
}

/**
 * The Docker that is meant, after it has answered: the option `host` or `context`, `DOCKER_HOST`, `DOCKER_CONTEXT`, the context that
 * `docker context use` chose, else the first of the usual sockets that answers.
 *
 * Rejects with `EXECUTOR_UNAVAILABLE` and what to type where it cannot be had, `OPTION_INVALID` where what names it makes no sense,
 * the signal's reason at an abort.
 */
export async function connectDocker(options: ConnectOptions = {}, env: Environment = process.env): Promise<Docker> {
  const named = await namedEndpoint(options, env)
  return named === undefined ? firstThatAnswers(options, env) : reach(named, options, env)
}

async function namedEndpoint({ host, context }: ConnectOptions, env: Environment): Promise<Endpoint | undefined> {
  if (host !== undefined && context !== undefined) throw oneTooMany()
  if (host !== undefined) return endpointAt(host, 'the option host', env)
  if (context !== undefined) return contextEndpoint(context, 'the option context', env)
  if (env.DOCKER_HOST) return endpointAt(env.DOCKER_HOST, 'DOCKER_HOST', env)
  if (env.DOCKER_CONTEXT) return contextEndpoint(env.DOCKER_CONTEXT, 'DOCKER_CONTEXT', env)
  const current = await currentContext(env)
  return current === undefined ? undefined : contextEndpoint(current, 'docker context use', env)
}

/** One that does not answer is passed over; why the most usual of them did not is told where none does. */
async function firstThatAnswers(options: ConnectOptions, env: Environment): Promise<Docker> {
  const failures: unknown[] = []
  for (const path of options.sockets ?? usualSockets(env)) {
    try {
      return await reach(usual(path), options, env)
    } catch (error) {
      options.signal?.throwIfAborted()
      failures.push(error)
    }
  }
  throw failures[0] ?? nothingFound()
}

function usual(path: string): Endpoint {
  return { kind: 'socket', path, url: `unix://${path}`, namedBy: 'where it usually is' }
}

async function reach(endpoint: Endpoint, { signal, patience }: ConnectOptions, env: Environment): Promise<Docker> {
  const ms = patience ?? (endpoint.kind === 'ssh' ? PATIENCE.ssh : PATIENCE.ping)
  try {
    const docker = clientFor(endpoint, env)
    await bounded(`answer at ${endpoint.url}`, ms, (abort) => ping(docker, abort), signal)
    return docker
  } catch (error) {
    signal?.throwIfAborted()
    throw unreachable(endpoint, error)
  }
}

function oneTooMany(): CodeActError {
  return new CodeActError('OPTION_INVALID', 'docker(): host and context both say where Docker is.', {
    hint: 'Leave one of them out.',
  })
}
