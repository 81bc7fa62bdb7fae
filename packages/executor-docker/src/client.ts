import { Agent } from 'node:https'
import Docker from 'dockerode'
import type { Environment } from './config-folder.ts'
import type { Endpoint } from './endpoint.ts'

/** All that the library would else take from `DOCKER_HOST`: what is not named here is meant to be absent. */
const NOTHING: Docker.DockerOptions = {
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

/** A client for one endpoint. It does not connect yet. */
export function clientFor(endpoint: Endpoint, env: Environment): Docker {
  const options = { ...NOTHING, ...optionsFor(endpoint, env) }
  return withoutDockerHost(() => new Docker(options))
}

function optionsFor(endpoint: Endpoint, env: Environment): Docker.DockerOptions {
  if (endpoint.kind === 'socket') return { socketPath: endpoint.path }
  const { hostname: host, port } = endpoint
  if (endpoint.kind === 'ssh') {
    const sshOptions = { agent: env.SSH_AUTH_SOCK, readyTimeout: 5000 }
    return { protocol: 'ssh', host, port, username: endpoint.username, sshOptions }
  }
  if (endpoint.tls === undefined) return { host, port }
  const { isUnverified, ...files } = endpoint.tls
  const agent = isUnverified ? { agent: new Agent({ rejectUnauthorized: false }) } : {}
  return { protocol: 'https', host, port, ...files, ...agent }
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
