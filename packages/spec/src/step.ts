import type { Action } from './action.ts'
import type { Execution } from './execution.ts'
import type { Finish, Usage } from './language-model.ts'
import type { AssistantMessage } from './message.ts'
import type { Observation } from './observation.ts'

/** One turn of the loop. */
export interface Step {
  /** From 1. */
  readonly index: number
  readonly message: AssistantMessage
  readonly finish: Finish
  readonly actions: readonly Action[]
  /** One for each code action that ran, in order. */
  readonly executions: readonly Execution[]
  /** What the model is told; absent where that is nothing, as a rule when the step ended the run. */
  readonly observation?: Observation
  readonly usage: Usage
}

/** How a run stopped. */
export type StopReason = 'answer' | 'max-steps' | 'budget' | 'stuck' | 'refusal' | 'aborted'

/** What a run gave. A run that stopped early gives what it has. */
export interface RunResult {
  /** The answer, or the last thing the model said when it did not reach one. */
  readonly answer: string
  readonly stop: StopReason
  readonly steps: readonly Step[]
  /** Summed over the steps. */
  readonly usage: Usage
}
