import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'

export interface Received {
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: Record<string, unknown>
  /** The socket's number, in the order in which they came. */
  readonly socket: number
  /** Settles when the connection is gone, however that came. */
  readonly closed: Promise<void>
}

export type Answer = (response: ServerResponse, received: Received) => void | Promise<void>

export interface ChatServer extends AsyncDisposable {
  readonly baseURL: string
  readonly received: Received[]
}

/** A model server on this machine. It gives the answers in order, the last one again and again. */
export async function chatServer(...answers: Answer[]): Promise<ChatServer> {
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
    baseURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    received,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function receive(request: IncomingMessage, response: ServerResponse, socket: number): Promise<Received> {
  const closed = new Promise<void>((resolve) => response.once('close', resolve))
  let text = ''
  for await (const piece of request.setEncoding('utf8')) text += piece
  return { url: request.url ?? '', headers: request.headers, body: JSON.parse(text), socket, closed }
}

/** A stream of events, whole. */
export function streamed(chunks: readonly object[], { slice = slices.whole, newline = '\n' }: Streaming = {}): Answer {
  return async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
    response.socket?.setNoDelay(true)
    for (const piece of slice(eventStream(chunks, newline))) {
      response.write(piece)
      await turn() // a turn of the event loop for each piece, so that they are not joined on the way
    }
    response.end()
  }
}

export interface Streaming {
  readonly slice?: (bytes: Buffer) => Buffer[]
  readonly newline?: string
}

/** Ways to cut bytes into the pieces that are written. */
export const slices = {
  whole: (bytes: Buffer) => [bytes],
  bytes: (bytes: Buffer) => every(bytes, 1),
  /** Prime, so that the cuts fall everywhere: in lines, in line ends, in characters. */
  sevens: (bytes: Buffer) => every(bytes, 7),
}

function every(bytes: Buffer, length: number): Buffer[] {
  const count = Math.ceil(bytes.length / length)
  return Array.from({ length: count }, (_, index) => bytes.subarray(index * length, (index + 1) * length))
}

/** Chunks as events, with the comments and the odd spacing that the format allows. */
export function eventStream(chunks: readonly object[], newline = '\n'): Buffer {
  const events = chunks.map((chunk, index) =>
    index % 2 === 0 ? `data: ${JSON.stringify(chunk)}` : `: keep-alive${newline}data:${JSON.stringify(chunk)}`,
  )
  return Buffer.from([...events, 'data: [DONE]', ''].join(newline + newline))
}

/** An answer that is no stream. */
export function answered(status: number, body: unknown, headers: Record<string, string> = {}): Answer {
  return (response) => {
    const isText = typeof body === 'string'
    response.writeHead(status, { 'content-type': isText ? 'text/plain' : 'application/json', ...headers })
    response.end(isText ? body : JSON.stringify(body))
  }
}

/** Chunks as the API sends them: what is common to all, and one choice. */
export function chunk(delta: object, finish: string | null = null, choice: object = {}): object {
  return { ...head, choices: [{ index: 0, delta, logprobs: null, finish_reason: finish, ...choice }], usage: null }
}

export function usageChunk(usage: object): object {
  return { ...head, choices: [], usage }
}

const head = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1_760_000_000, model: 'm' }

export const reply = (text: string): object[] => [
  chunk({ role: 'assistant', content: '', refusal: null }),
  ...Array.from(text, (character) => chunk({ content: character })),
  chunk({}, 'stop'),
  usageChunk({ prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 }),
]
