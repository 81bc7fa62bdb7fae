import type { CodeActError, LanguageModel } from '@codeact/spec'
import { describe, it } from 'vitest'
import type { Dialect, Fault, Script } from './dialect.ts'
import { failureAt, failureWith } from './failure.ts'
import { type Answer, type ModelAddress, type ModelServer, modelServer } from './model-server.ts'
import { answered, eventStream, type Streaming, streamed, type WireEvent } from './wire.ts'

/** The options that the suite sets; each means the same in every adapter. */
export interface ModelOptions {
  readonly apiKey?: string
  readonly headers?: Readonly<Record<string, string>>
  /** How often a call that failed before its first byte is tried again. The suite counts on 2 where it gives none. */
  readonly maxRetries?: number
}

/** What a vendor or its SDK may not have. Everything else holds for all. */
export type ModelPromise =
  | 'content-refused'
  | 'enough'
  | 'environment'
  | 'key'
  | 'key.blank'
  | 'key.form'
  | 'pause'
  | 'reasoning'
  | 'reasoning.order'
  | 'refusal'
  | 'stop'
  | 'stop.told'
  | 'usage.cache-write'
  | 'whole-without-counts'

export interface ModelSubject {
  readonly name: string
  readonly dialect: Dialect
  /** A new model at this address, and otherwise as its users have it. */
  model(server: ModelAddress, options: ModelOptions): LanguageModel
  readonly keyless?: Keyless
  /** What it does not keep, each with the reason; the cases of that promise are skipped with it. */
  readonly exceptions?: Readonly<Partial<Record<ModelPromise, string>>>
}

/** What users have who leave key and server to the environment. */
export interface Keyless {
  /** The variables in which a key or a server is looked for, that of the key first. */
  readonly variables: readonly string[]
  /** A model that is given neither; making it may throw. */
  readonly model: () => LanguageModel
  /** The variables that name this server, if any do: `{ MINE_BASE_URL: baseURL }`. */
  readonly named?: (server: ModelAddress) => Readonly<Record<string, string>>
}

type Case = (subject: Subject) => Promise<void>
type Cases = (it: (title: string, run: Case, options?: CaseOptions) => void) => void

interface CaseOptions {
  readonly promise?: ModelPromise
  /** Default: vitest's own. */
  readonly timeoutMs?: number
}

/** The adapter under test, and the servers that it meets. */
export class Subject {
  readonly given: ModelSubject

  constructor(given: ModelSubject) {
    this.given = given
  }

  get dialect(): Dialect {
    return this.given.dialect
  }

  /** The cases of one group; those that wait for pauses wait together. */
  group(name: string, cases: Cases, { isConcurrent = false } = {}): void {
    const suite = isConcurrent ? describe.concurrent : describe
    suite(name, () => {
      cases((title, run, { promise, timeoutMs } = {}) => {
        it(title, timeoutMs === undefined ? {} : { timeout: timeoutMs }, async (test) => {
          const reason = promise && this.given.exceptions?.[promise]
          test.skip(reason !== undefined, `${promise}: ${reason}`)
          await run(this)
        })
      })
    })
  }

  serve(...answers: Answer[]): Promise<ModelServer> {
    return modelServer(...answers)
  }

  model(server: ModelAddress, options: ModelOptions = {}): LanguageModel {
    return this.given.model(server, options)
  }

  /** Gives a reply. */
  says(script: Script | string, streaming?: Streaming): Answer {
    return streamed(this.dialect.reply(typeof script === 'string' ? plain(script) : script), streaming)
  }

  /** Fails, as the vendor does. */
  fails(fault: Fault, words = 'the words of the server', headers: Readonly<Record<string, string>> = {}): Answer {
    const { status, body } = this.dialect.failure(fault, words)
    return answered(status, body, headers)
  }

  /** The error of one try at a server that answers so. */
  failure(answer: Answer, options: ModelOptions = {}): Promise<CodeActError> {
    return failureAt(answer, (server) => this.model(server, { maxRetries: 0, ...options }))
  }

  /** The error of a model at an address where no server is. */
  failureAt(address: ModelAddress, options: ModelOptions = {}): Promise<CodeActError> {
    return failureWith(() => this.model(address, { maxRetries: 0, ...options }))
  }

  /** The events of a reply up to the one that has these words in it. */
  until(words: string, script: Script): readonly WireEvent[] {
    const events = this.dialect.reply(script)
    const last = events.findIndex((event) => eventStream([event]).includes(words))
    if (last < 0) throw new Error(`No event of the dialect's reply has ${JSON.stringify(words)} in it.`)
    return events.slice(0, last + 1)
  }
}

export const plain = (text: string): Script => ({ says: [{ text: [text] }] })
