import type { Execution } from './execution.ts'
import type { JsonValue } from './json.ts'
import type { ToolEndOutcome } from './tool-end-outcome.ts'

/** A cell that has run, as far as it takes to run it again without doing anything twice. */
export interface CellRecord extends Pick<Execution, 'status' | 'state'> {
  readonly language: string
  readonly code: string
  /** The tools that it called, in order; a call without an outcome was never heard of again. */
  readonly calls: readonly CallRecord[]
}

/** A tool call as the events tell it. */
export interface CallRecord {
  readonly name: string
  readonly input: JsonValue
  readonly outcome?: ToolEndOutcome
}
