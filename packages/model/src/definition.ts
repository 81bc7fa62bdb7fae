import type { AssistantMessage, Finish, ModelEvent, ModelRequest, Usage } from '@codeact/spec'
import type { Fault } from './fault.ts'
import type { Vendor } from './vendor.ts'

/**
 * What a provider gives: how its vendor is spoken to. All else is done once, by `defineModel()`.
 *
 * @typeParam Body what one request sends
 * @typeParam Event one event of the vendor's stream
 */
export interface ModelDefinition<Body, Event> {
  /** Provider and model, as a person would name them: `openai:gpt-5`. */
  readonly id: string
  /** How errors speak of the vendor, and what its own errors mean. */
  readonly vendor: Vendor
  /** How often a call that failed before anything of its reply was told is tried again, with growing pauses. Default 2. */
  readonly maxRetries?: number
  /**
   * The transcript and all else of a request, in the vendor's words.
   *
   * @param without names of what the server has refused, as `refusedBy` gave them: left out
   */
  write(request: ModelRequest, without: ReadonlySet<string>): Body
  /**
   * Sends a request once, and resolves when its reply begins. It may throw what it likes, for `vendor.fault` to read. The
   * connection is to close when the signal aborts: it does at the end of each call, however that ended.
   */
  send(body: Body, signal: AbortSignal): Promise<OpenedReply<Event>>
  /** A reader for one reply. */
  reader(): ReplyReader<Event>
  /**
   * Names what a request can do without and the server refused with a 400 or 422: the call is sent again without it, and so
   * are all calls after it. None, where the failure is about something else. Default: none ever.
   */
  refusedBy?(fault: Fault, body: Body): readonly string[]
}

/** A reply that has begun. */
export interface OpenedReply<Event> {
  readonly events: AsyncIterable<Event>
  /** Of the response, null where it has none: a page or a document in place of a stream is known by it. */
  readonly contentType?: string | null
}

/** Reads one reply, event by event. */
export interface ReplyReader<Event> {
  /**
   * True once the server has said how the reply ended; counts may still come. If the connection breaks after that, nothing is
   * missing.
   */
  readonly isWhole: boolean
  /** What an event tells: deltas, and the starts and ends of tool calls. May throw, for `vendor.fault` to read. */
  read(event: Event): readonly ModelEvent[]
  /** The reply, when the stream is over. */
  end(): EndedReply
  /** What has come of a reply that the caller leaves, having heard enough. */
  leave(): LeftReply
}

/** A reply whose stream is over. */
export interface EndedReply {
  /** What is still to be told: the ends of tool calls. Default: nothing. */
  readonly events?: readonly ModelEvent[]
  readonly content: AssistantMessage['content']
  /** Undefined where the server never ended the reply, or for a reason that ends none: it counts as cut. */
  readonly finish: Finish | undefined
  /** That reason, in words to be shown: `finish_reason "error"`. */
  readonly reason?: string
  readonly usage: Usage
}

/**
 * A reply that was left. Its content goes back to the vendor like any other: text as far as it came; of reasoning and tool
 * calls those that are whole, for a vendor takes no halves of them.
 */
export type LeftReply = Pick<EndedReply, 'events' | 'content' | 'usage'>
