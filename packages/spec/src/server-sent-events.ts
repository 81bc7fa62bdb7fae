import { CodeActError } from './error.ts'
import type { CodeActEvent } from './event.ts'

export interface SseOptions {
  /** Leaves out the events up to this `seq`: what a browser that connects again sends as `Last-Event-ID`. */
  readonly after?: number
}

const encoder = new TextEncoder()

/** Each event in the form of server-sent events; the failure, if there is one, as the last. */
export async function* eventsAsSse(
  events: AsyncIterable<CodeActEvent>,
  { after = -1 }: SseOptions,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    for await (const event of events) {
      // JSON has no line breaks of its own, so that an event is one line of data.
      if (event.seq > after) yield encoder.encode(`id: ${event.seq}\ndata: ${JSON.stringify(event)}\n\n`)
    }
  } catch (error) {
    yield encoder.encode(`event: failure\ndata: ${JSON.stringify(CodeActError.json(error))}\n\n`)
  }
}
