import { Agent } from 'node:http'
import { Agent as TlsAgent } from 'node:https'
import { inspect } from 'node:util'
import Docker from 'dockerode'
import type { Environment } from './config-folder.ts'
import type { Endpoint } from './endpoint.ts'
import { SshAgent } from './ssh.ts'

/** Its types know of no agent, it does. */
type Options = Docker.DockerOptions & { readonly agent?: Agent }

/** All that the library would else take from `DOCKER_HOST`: what is not named here is meant to be absent. */
const NOTHING: Options = {
  socketPath: undefined,
  host: undefined,
  port: undefined,
  username: undefined,
  ca: undefined,
  cert: undefined,
  key: undefined,
  protocol: 'http',
  timeout: undefined,
  sshOptions: undefined,
}

/**
 * A connection serves one call. Kept for the next, it would fail that one after Docker was restarted; and Node lets an abort that
 * comes when all of an answer is there, but not read, end the whole process.
 */
const ONE_CALL = { keepAlive: false }

/** A client for one endpoint. It does not connect yet. */
export function clientFor(endpoint: Endpoint, env: Environment): Docker {
  const options = { ...NOTHING, ...optionsFor(endpoint, env) }
  return withoutDockerHost(() => new Docker(options))
}

function optionsFor(endpoint: Endpoint, env: Environment): Options {
  if (endpoint.kind === 'socket') return { socketPath: endpoint.path, agent: opaque(new Agent(ONE_CALL)) }
  // The name in its requests is of no account: whom it speaks to is up to the agent.
  if (endpoint.kind === 'ssh') return { host: 'docker', agent: opaque(new SshAgent(endpoint, env)) }
  const { hostname: host, port, tls } = endpoint
  if (tls === undefined) return { host, port, agent: opaque(new Agent(ONE_CALL)) }
  const { isUnverified, ...files } = tls
  const agent = opaque(new TlsAgent({ ...ONE_CALL, rejectUnauthorized: !isUnverified }))
  return { protocol: 'https', host, port, ...files, agent }
}

/** At every call the library prints its options for a log that nobody keeps, with all that hangs on them: sockets, by the agent. */
function opaque<T extends Agent>(agent: T): T {
  return Object.assign(agent, { [inspect.custom]: () => 'Agent' })
}

/**
 * Whatever it is told, the library reads `DOCKER_HOST` and the files of `DOCKER_CERT_PATH` when a client is made, and throws over what
 * it does not like there: they are hidden from it for that moment, in which nothing else can run.
 */
function withoutDockerHost<T>(make: () => T): T {
  const { DOCKER_HOST } = process.env
  delete process.env.DOCKER_HOST
  try {
    return make()
  } finally {
    if (DOCKER_HOST !== undefined) process.env.DOCKER_HOST = DOCKER_HOST
  }
}
