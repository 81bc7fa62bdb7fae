import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createSocketServer } from 'node:net'

/** One request, as the server has it. */
export interface Received {
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: Record<string, unknown>
  /** The socket's number, in the order in which they came. */
  readonly socket: number
  /** `performance.now()` when all of it had come. */
  readonly at: number
  /** Settles when the connection is gone, or the answer is whole. */
  readonly closed: Promise<void>
}

export type Answer = (response: ServerResponse, received: Received) => void | Promise<void>

/** Where a server is, for options that want it with and without the version in its path. */
export interface ModelAddress {
  /** `http://127.0.0.1:4321` */
  readonly origin: string
  /** `http://127.0.0.1:4321/v1` */
  readonly baseURL: string
}

export interface ModelServer extends ModelAddress, AsyncDisposable {
  readonly received: Received[]
}

/** A model server on this machine. It gives the answers in order, the last one again and again. */
export async function modelServer(...answers: Answer[]): Promise<ModelServer> {
  const received: Received[] = []
  const sockets = new Map<unknown, number>()
  const server = createServer(async (request, response) => {
    if (!sockets.has(request.socket)) sockets.set(request.socket, sockets.size)
    const call = await receive(request, response, sockets.get(request.socket) ?? -1)
    received.push(call)
    const answer = answers[Math.min(received.length, answers.length) - 1]
    await answer?.(response, call)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    ...addressOf(server.address() as AddressInfo),
    received,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Settles when the connections of all calls are gone; where none came, that is an error. */
export async function closed({ received }: ModelServer): Promise<void> {
  if (received.length === 0) throw new Error('The server was never asked.')
  await Promise.all(received.map((call) => call.closed))
}

/** An address at which nobody listens: it was given out a moment ago, and given back. */
export async function deadAddress(): Promise<ModelAddress> {
  const server = createSocketServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return addressOf(address)
}

function addressOf({ port }: AddressInfo): ModelAddress {
  const origin = `http://127.0.0.1:${port}`
  return { origin, baseURL: `${origin}/v1` }
}

async function receive(request: IncomingMessage, response: ServerResponse, socket: number): Promise<Received> {
  const closed = new Promise<void>((resolve) => response.once('close', resolve))
  let text = ''
  for await (const piece of request.setEncoding('utf8')) text += piece
  const body = text === '' ? {} : JSON.parse(text)
  return { url: request.url ?? '', headers: request.headers, body, socket, at: performance.now(), closed }
}
