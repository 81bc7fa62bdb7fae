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

export interface MessageServer extends AsyncDisposable {
  readonly baseURL: string
  readonly received: Received[]
}

/** A model server on this machine. It gives the answers in order, the last one again and again. */
export async function messageServer(...answers: Answer[]): Promise<MessageServer> {
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
    baseURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
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
  return { url: request.url ?? '', headers: request.headers, body: text === '' ? {} : JSON.parse(text), socket, closed }
}

/** A stream of events, whole. */
export function streamed(events: readonly object[], { slice = slices.whole, newline = '\n' }: Streaming = {}): Answer {
  return async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
    response.socket?.setNoDelay(true)
    for (const piece of slice(eventStream(events, newline))) {
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

/** Events on the wire, with the pings, the comments and the odd spacing that the format allows. */
export function eventStream(events: readonly object[], newline = '\n'): Buffer {
  const ping = ['event: ping', 'data: {"type": "ping"}'].join(newline)
  const lines = events.map((event, index) => {
    const name = `event: ${(event as { type: string }).type}${newline}`
    const data = JSON.stringify(event)
    return index % 2 === 0 ? `${name}data: ${data}` : `: keep-alive${newline}${name}data:${data}`
  })
  return Buffer.from([...lines.slice(0, 1), ping, ...lines.slice(1), ''].join(newline + newline))
}

/** An answer that is no stream. */
export function answered(status: number, body: unknown, headers: Record<string, string> = {}): Answer {
  return (response) => {
    const isText = typeof body === 'string'
    response.writeHead(status, { 'content-type': isText ? 'text/plain' : 'application/json', ...headers })
    response.end(isText ? body : JSON.stringify(body))
  }
}

/** How a reply begins and ends, as the API sends it. */
export const start = (usage: object = { input_tokens: 11, output_tokens: 1 }): object => ({
  type: 'message_start',
  message: {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'm',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage,
  },
})

export const end = (reason: string | null = 'end_turn', usage: object = { output_tokens: 7 }, more: object = {}) => [
  { type: 'message_delta', delta: { stop_reason: reason, stop_sequence: null, ...more }, usage },
  { type: 'message_stop' },
]

/** One block: its start, its deltas, its stop. */
export const block = (index: number, content_block: object, ...deltas: object[]): object[] => [
  { type: 'content_block_start', index, content_block },
  ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
  { type: 'content_block_stop', index },
]

/** A block of text, a character at a time. */
export const textBlock = (index: number, text: string): object[] =>
  block(index, { type: 'text', text: '' }, ...Array.from(text, (one) => ({ type: 'text_delta', text: one })))

export const thinkingBlock = (index: number, thinking: string, signature: string): object[] =>
  block(
    index,
    { type: 'thinking', thinking: '', signature: '' },
    ...Array.from(thinking, (one) => ({ type: 'thinking_delta', thinking: one })),
    { type: 'signature_delta', signature },
  )

export const callBlock = (index: number, id: string, name: string, ...pieces: string[]): object[] =>
  block(
    index,
    { type: 'tool_use', id, name, input: {} },
    ...pieces.map((partial_json) => ({ type: 'input_json_delta', partial_json })),
  )

export const reply = (text: string): object[] => [start(), ...textBlock(0, text), ...end()]

/** A failure in the API's own form. */
export const fault = (type: string, message: string): object => ({ type: 'error', error: { type, message } })
