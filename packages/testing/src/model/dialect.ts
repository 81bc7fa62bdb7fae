import type { ToolDeclaration } from '@codeact/spec'
import type { Received } from './model-server.ts'
import type { WireEvent } from './wire.ts'

/** A vendor's wire protocol: how a server writes in it, and how it reads what it is sent. */
export interface Dialect {
  /** The events of one reply. Each piece of the script has an event of its own. */
  reply(script: Script): readonly WireEvent[]
  /** True of the event with which a reply is whole: what may still come are counts. */
  isEnd(event: WireEvent): boolean
  /** A failed response in the vendor's form. `words` are what its server says to people. */
  failure(fault: Fault, words: string): Failure
  /** A failure of the server in the middle of a stream. */
  failureEvent(words: string): WireEvent
  /** What a piece of reasoning comes back as, if the vendor takes it back. `index`: which of the script's parts it is. */
  reasoning?(pieces: readonly string[], index: number): unknown
  /** What a request says, in terms that all vendors share. */
  read(received: Received): Heard
}

/** What a model says in one reply, whichever protocol carries it. */
export interface Script {
  readonly says: readonly Said[]
  /** Default `whole`: the model had nothing to add, or called tools. */
  readonly end?: 'whole' | 'length' | 'filtered' | 'stop-sequence' | 'pause'
  /** Whether the server counts tokens: always as `COUNTS` has them. Default true. */
  readonly isCounted?: boolean
  /** Leave out of each event what a server could leave out. Default false. */
  readonly isTerse?: boolean
}

export type Said =
  | { readonly reasoning: readonly string[] }
  | { readonly text: readonly string[] }
  | { readonly refusal: readonly string[] }
  | { readonly call: string; readonly name: string; readonly json: readonly string[] }

/** The tokens of every reply that is counted. The input holds the cached and the written ones, the output the reasoning. */
export const COUNTS = { input: 100, cached: 64, written: 8, output: 50, reasoning: 40 } as const

export type Fault =
  | 'bad request'
  | 'stop refused'
  | 'wrong key'
  | 'unknown model'
  | 'context too long'
  | 'content refused'
  | 'rate limit'
  | 'no credit'
  | 'overload'

export interface Failure {
  readonly status: number
  /** JSON, or a text. */
  readonly body: unknown
}

/** A request in neutral terms. */
export interface Heard {
  /** In the order in which the model reads it, the system prompt first. */
  readonly said: readonly HeardItem[]
  readonly tools: readonly ToolDeclaration[]
  readonly stop: readonly string[]
}

export type HeardItem =
  | { readonly role: 'system' | 'user' | 'assistant'; readonly text: string }
  /** Base64, wherever the vendor wants to see it. */
  | { readonly image: string }
  | { readonly reasoning: unknown }
  | { readonly call: string; readonly name: string; readonly input: unknown }
  | { readonly result: string; readonly text: string }
