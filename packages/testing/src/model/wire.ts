import type { ServerResponse } from 'node:http'
import { setImmediate as turn } from 'node:timers/promises'
import type { Answer } from './model-server.ts'

/** An event of a stream: an object goes as JSON, under the name that its `type` is; a text as it is. */
export type WireEvent = object | string

export interface Streaming {
  /** How the bytes are cut into the pieces that are written. Default: not at all. */
  readonly slice?: (bytes: Buffer) => Buffer[]
  /** What ends a line. Default: `\n`. */
  readonly newline?: string
}

/** Events on the wire, with the comments and the odd spacing that the format of server-sent events allows. */
export function eventStream(events: readonly WireEvent[], newline = '\n'): Buffer {
  return encoded(events, newline, (index) => (index % 2 === 0 ? ['', ' '] : [`: keep-alive${newline}`, '']))
}

/** The same in as few bytes as can be. */
export function tersely(events: readonly WireEvent[]): Buffer {
  return encoded(events, '\n', () => ['', ''])
}

type Dress = (index: number) => readonly [comment: string, space: string]

function encoded(events: readonly WireEvent[], newline: string, dress: Dress): Buffer {
  const blocks = events.map((event, index) => {
    const [comment, space] = dress(index)
    const name = typeof event === 'object' && 'type' in event ? `event:${space}${event.type}${newline}` : ''
    return `${comment}${name}data:${space}${typeof event === 'string' ? event : JSON.stringify(event)}`
  })
  return Buffer.from([...blocks, ''].join(newline + newline))
}

/** A stream of events, whole. */
export function streamed(events: readonly WireEvent[], { slice = slices.whole, newline }: Streaming = {}): Answer {
  return async (response) => {
    startStream(response)
    for (const piece of slice(eventStream(events, newline))) {
      response.write(piece)
      await turn() // a turn of the event loop for each piece, so that they are not joined on the way
    }
    response.end()
  }
}

/** The beginning of a stream of events, and then nothing more, without end. */
export function begun(events: readonly WireEvent[]): Answer {
  return (response) => {
    startStream(response)
    response.write(eventStream(events))
  }
}

/** An answer that is no stream. */
export function answered(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Answer {
  return (response) => {
    const isText = typeof body === 'string'
    response.writeHead(status, { 'content-type': isText ? 'text/plain' : 'application/json', ...headers })
    response.end(isText ? body : JSON.stringify(body))
  }
}

/** A stream of bytes of which only the beginning comes; then the connection is lost, or ended as if all were well. */
export function brokenOff(bytes: Buffer, cut: number, way: 'lost' | 'ended'): Answer {
  return async (response) => {
    startStream(response)
    if (cut > 0) await new Promise<void>((sent) => response.write(bytes.subarray(0, cut), () => sent()))
    await turn()
    if (way === 'ended') response.end()
    else response.destroy()
  }
}

function startStream(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
  response.socket?.setNoDelay(true)
  response.flushHeaders()
}

/** Ways to cut bytes into the pieces that are written. */
export const slices = {
  whole: (bytes: Buffer): Buffer[] => [bytes],
  bytes: (bytes: Buffer): Buffer[] => every(bytes, 1),
  /** Prime, so that the cuts fall everywhere: in lines, in line ends, in characters. */
  sevens: (bytes: Buffer): Buffer[] => every(bytes, 7),
} as const

function every(bytes: Buffer, length: number): Buffer[] {
  const count = Math.ceil(bytes.length / length)
  return Array.from({ length: count }, (_, index) => bytes.subarray(index * length, (index + 1) * length))
}
