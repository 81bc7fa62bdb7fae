import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import type Docker from 'dockerode'
import { onTestFinished } from 'vitest'
import { clientFor } from '../src/client.ts'
import { PATIENCE } from '../src/patience.ts'

type Answer = (response: ServerResponse, request: IncomingMessage) => void

/** What a daemon does with `POST /containers/create` and the like; what it has no answer for, it never answers. */
export interface Answers {
  readonly [call: string]: Answer | undefined
}

export interface FakeDaemon {
  readonly path: string
  readonly docker: Docker
  /** The calls that came, in order. */
  readonly calls: string[]
  /** The attached stream, once there is one. */
  readonly attached: Promise<Duplex>
  /** Ends every connection, as a daemon does that is killed. */
  die(): void
}

/** A daemon on a socket of its own that does what a real one will not do on demand. */
export async function fakeDaemon(answers: Answers): Promise<FakeDaemon> {
  const folder = await mkdtemp(join(tmpdir(), 'codeact-fake-'))
  const path = join(folder, 'docker.sock')
  const calls: string[] = []
  const sockets = new Set<Socket>()
  let onAttached: (stream: Duplex) => void
  const attached = new Promise<Duplex>((resolve) => {
    onAttached = resolve
  })
  const server = createServer((request, response) => {
    const call = nameOf(request)
    calls.push(call)
    answers[call]?.(response, request)
  })
  server.on('upgrade', (request, socket: Duplex) => {
    calls.push(nameOf(request))
    if (!('POST /containers/attach' in answers)) return
    socket.on('error', () => {})
    socket.write('HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n')
    onAttached(socket)
  })
  server.on('connection', (socket) => sockets.add(socket))
  await new Promise<void>((resolve) => server.listen(path, resolve))
  const die = (): void => {
    server.close()
    for (const socket of sockets) socket.destroy()
  }
  onTestFinished(async () => {
    die()
    await rm(folder, { recursive: true })
  })
  const docker = clientFor({ kind: 'socket', path, url: `unix://${path}`, namedBy: 'the test' }, {})
  return { path, docker, calls, attached, die }
}

/** Without the version, the names of containers and images, and what is asked. */
function nameOf({ method, url = '' }: IncomingMessage): string {
  const path = url.replace(/\?.*/, '').replace(/^(\/containers\/)(?!create|json)[^/]+\/?/, '$1')
  return `${method} ${path.replace(/^(\/images\/).*(json)$/, '$1$2').replace(/\/$/, '')}`
}

export function json(body: unknown, status = 200): Answer {
  return (response) => response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

/** Lines that come one after the other, and then the end, or none. */
export function lines(all: readonly unknown[], isWhole = true): Answer {
  return (response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    for (const line of all) response.write(`${JSON.stringify(line)}\r\n`)
    if (isWhole) response.end()
  }
}

/** A port of this machine that answers with `server`. */
export async function listening(server: ReturnType<typeof createServer>): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

/** Little, so that what hangs is given up soon. */
export const HASTE = Object.fromEntries(Object.keys(PATIENCE).map((key) => [key, 400])) as unknown as typeof PATIENCE
