import type { StopRule } from '@codeact/core'
import type { ActionParser, Tool } from '@codeact/spec'

/** A session that was recorded: who plays which part, and what is asked. The replies are in `recordings/NAME.jsonl`. */
export interface Demonstration {
  readonly name: string
  /** What it shows, in a line. */
  readonly about: string
  readonly parser: ActionParser
  readonly tools?: readonly Tool[]
  readonly stopRules?: readonly StopRule[]
  /** A module that the code finds loaded. Sandboxes that cannot have it leave the demonstration out. */
  readonly preload?: Preload
  /** Asked one after the other: what was said and the variables stay. */
  readonly questions: readonly Question[]
}

export interface Question {
  /** A few words, for a table. */
  readonly title: string
  readonly task: string
  /** What the answer must say: figures (`63.33` stands for all that round to it) and words. */
  readonly expected: readonly string[]
  /** The part of the answer that must say it, where it is not all of it. What it throws counts as nothing said. */
  readonly read?: (answer: string) => string
}

export interface Preload {
  /** As it is installed, and imported: `numpy`. */
  readonly module: string
  /** Run before the first cell. */
  readonly python: string
  readonly install: string
}
