import { wordsIn } from './words.ts'

/** What the operator has to know of a failure; each has a stable code and a hint. */
export type Meaning =
  | 'bad-address'
  | 'bad-request'
  | 'bad-response'
  | 'content-refused'
  | 'key-missing'
  | 'key-refused'
  | 'no-connection'
  | 'no-credit'
  | 'not-found'
  | 'not-made'
  | 'overloaded'
  | 'rate-limit'
  | 'stream-cut'
  | 'too-long'

/** A failure, as the vendor told it. */
export interface Fault {
  /** What the server says, in its own words. Secrets are taken out of them before they are shown. */
  readonly words: string
  /** Of the response; of an error in the stream, the status that it would have had as a response. */
  readonly status?: number
  /** Where the vendor says more than the status does. Default: by the status and the words. */
  readonly means?: Meaning
  /** The vendor's own code. */
  readonly code?: string
  /** Which field of the request it is about, where the server names one. */
  readonly field?: string
  /** Of the response: they say when to try again. */
  readonly headers?: Headers | Readonly<Record<string, unknown>>
  /** False where another try is known to be in vain. */
  readonly isRetryable?: boolean
  /** What was called, where it is known better than by `vendor.server`. */
  readonly server?: string
}

/** For a `send` or a reader that knows what went wrong: thrown, its fault is told as it is. */
export class ModelFault extends Error {
  readonly fault: Fault

  constructor(fault: Fault) {
    super(fault.words)
    this.fault = fault
  }
}

/** What a failed response of `fetch` says, to be thrown by a `send` that has no SDK. */
export async function failedResponse(response: Response): Promise<ModelFault> {
  const { status, headers } = response
  return new ModelFault({ status, headers, words: wordsIn(await response.text()) })
}
