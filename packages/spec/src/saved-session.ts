import type { CellRecord } from './cell-record.ts'
import type { Message } from './message.ts'
import type { StopReason } from './step.ts'

/** A session as plain JSON: what `session.save()` gives, and what a log comes to. */
export interface SavedSession {
  readonly v: 1
  /** All that was said, the system prompt first. */
  readonly messages: readonly Message[]
  /** The code that has made the variables, in order, and what its tools gave. */
  readonly cells: readonly CellRecord[]
  /** The names of the files that were given to it. */
  readonly files: readonly string[]
  /** The last task; absent where there was none yet. */
  readonly task?: string
  /** How the run on it ended; absent where it did not: its host was gone, or its last step was taken back. */
  readonly stop?: StopReason | 'error'
  /** The code and the calls that had begun in a step that did not end, which is left out. */
  readonly begun: readonly string[]
  /** True where the last reply was cut off in the middle of a block. */
  readonly isCut?: boolean
}
