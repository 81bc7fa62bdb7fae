import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Received {
  readonly headers: IncomingHttpHeaders
  readonly body: Record<string, unknown>
  /** Settles when the connection is gone, however that came. */
  readonly closed: Promise<void>
}

export type Answer = (response: ServerResponse) => void

export interface LocalServer extends AsyncDisposable {
  readonly baseURL: string
  readonly received: Received[]
}

/** A server on this machine. It gives the answers in order, the last one again and again. */
export async function localServer(...answers: Answer[]): Promise<LocalServer> {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const closed = new Promise<void>((resolve) => response.once('close', resolve))
    let text = ''
    for await (const piece of request.setEncoding('utf8')) text += piece
    received.push({ headers: request.headers, body: JSON.parse(text || '{}'), closed })
    answers[Math.min(received.length, answers.length) - 1]?.(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    baseURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** A reply of `mine()`: a line for each event. With 'hang' as the last of them, it says nothing more, without end. */
export function said(...events: (object | 'hang')[]): Answer {
  return (response) => {
    response.writeHead(200, { 'content-type': 'application/x-ndjson' })
    for (const event of events) if (event !== 'hang') response.write(`${JSON.stringify(event)}\n`)
    if (events.at(-1) !== 'hang') response.end()
  }
}

export function failed(status: number, body: unknown, headers: Record<string, string> = {}): Answer {
  return (response) => {
    const isText = typeof body === 'string'
    response.writeHead(status, { 'content-type': isText ? 'text/plain' : 'application/json', ...headers })
    response.end(isText ? body : JSON.stringify(body))
  }
}
