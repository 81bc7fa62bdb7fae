import type { ModelEvent, ModelRequest } from '@codeact/spec'
import type { OpenAI } from 'openai'

/** One of the vendor's APIs: how a request is written in it and sent, and how its reply is read. */
export interface Api<Body, Event> {
  write(request: ModelRequest): Body
  send(client: OpenAI, body: Body, signal: AbortSignal): Promise<Opened<Event>>
  /** One for each reply. */
  reader(): ReplyReader<Event>
}

/** A reply that has begun. */
export interface Opened<Event> {
  readonly data: AsyncIterable<Event>
  readonly response: Response
}

/** Reads one reply, event by event. */
export interface ReplyReader<Event> {
  /** True once the server has said how the reply ended: what may still come are counts. */
  readonly isWhole: boolean
  read(event: Event): ModelEvent[]
  /** The events that end the reply. Throws `MODEL_STREAM_CUT` when the server never ended it. */
  end(): ModelEvent[]
}
