import type { Fault } from './fault.ts'

/** How errors speak of a vendor's server, and what that server's errors mean. */
export interface Vendor {
  /** Where the server is, or whose it is, as it stands in a sentence: `http://localhost:11434`, `the server of mine/m`. */
  readonly server: string
  /** The model's name as the server knows it. Absent where no model is asked for: a list of models. */
  readonly model?: string
  /** False when the server is called without a key. Default true. */
  readonly hasKey?: boolean
  /** Keys, headers and whatever else must not show in an error. Default: none, but what looks like a key is hidden always. */
  readonly secrets?: () => readonly string[]
  /** What to type. Default: hints that say as much as can be said of any vendor. */
  readonly hints?: Hints
  /**
   * What something means that was thrown: by `send`, by the stream of events, or by the reader. Default, and where it is
   * undefined: a connection that was not made, a stream that broke off, or a call that could not be made.
   *
   * @param hasBegun true when the reply had begun
   */
  readonly fault?: (thrown: unknown, hasBegun: boolean) => Fault | undefined
}

/** The parts of hints that differ from vendor to vendor. */
export interface Hints {
  /** How a key is set, as the end of a sentence: `export OPENAI_API_KEY=…, or pass apiKey.` */
  readonly key?: string
  /** Where to look when the address might be wrong, in whole sentences. */
  readonly address?: string
  /** A command that shows whether the server can be reached: `curl http://localhost:11434/v1/models`. */
  readonly reach?: string
  /** How to see which models there are, in whole sentences. */
  readonly models?: string
  /** How more tries are asked for, as the end of a sentence: `openai(model, { maxRetries: 6 }).` */
  readonly patience?: string
  /** What to check when the server refuses a request, in whole sentences. */
  readonly request?: string
  /** What else helps against a transcript that is too long, in whole sentences. */
  readonly context?: string
}
