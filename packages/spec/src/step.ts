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

/** The limit at which a run stopped. */
export interface LimitReached {
  /** `steps`, `toolCalls`, `wallTimeMs`, `cost`, `tokens`; of several counts of tokens, `tokens.input`. */
  readonly name: string
  readonly allowed: number
  readonly used: number
}

/** A run inside another one: of an agent that code called as a tool, or that reviewed code. */
export interface NestedRun {
  readonly id: string
  readonly stop: StopReason | 'error'
  readonly steps: number
  /** Of its own model calls. */
  readonly usage: Usage
}

/** What a run gave. A run that stopped early gives what it has. */
export interface RunResult<Answer = unknown> {
  /** The answer, or the last thing the model said when it did not reach one. */
  readonly answer: string
  /** The answer in the type of the agent's `answer` schema; absent without such a schema, or without an answer. */
  readonly value?: Answer
  readonly stop: StopReason
  /** Where a limit was the reason. */
  readonly limit?: LimitReached
  readonly steps: readonly Step[]
  /** Of the run's own model calls, steps and compactions. That of nested runs is not in it. */
  readonly usage: Usage
  /** The runs inside this one that have ended, those inside them included. */
  readonly nested: readonly NestedRun[]
}
