import type { Action, CodeAction, InvalidAction } from './action.ts'
import type { CellRecord } from './cell-record.ts'
import type { ErrorJson } from './error.ts'
import type { Execution, MimeBundle, Rollback } from './execution.ts'
import type { JsonValue } from './json.ts'
import type { Finish, Usage } from './language-model.ts'
import type { AssistantMessage, Message } from './message.ts'
import type { Observation } from './observation.ts'
import type { Verdict } from './review.ts'
import type { SavedSession } from './saved-session.ts'
import type { LimitReached, StopReason } from './step.ts'
import type { ToolEndOutcome } from './tool-end-outcome.ts'

/**
 * One grammar for all floors, plain JSON: the terminal, the browser and the saved log read the same thing, and a recording
 * is such a log.
 *
 * `id` names the span that an event belongs to (a run, a step, a model call, a code block, a review, a cell, a tool call), `parent` the
 * span around it. Every `…-start` is closed by exactly one `…-end` with the same `id`, which carries the outcome, whatever
 * happened between.
 */
export type CodeActEvent = EventHead & EventBody

export interface EventHead {
  readonly v: 1
  /** Counts from 0 within one stream, without gaps. */
  readonly seq: number
  /** Milliseconds since the epoch. */
  readonly at: number
  /** The id of the run whose stream this is. */
  readonly run: string
}

export type EventBody = RunEvent | ModelStreamEvent | CellEventBody

type Span<Type extends string> = { readonly type: Type; readonly id: string; readonly parent?: string }

type RunEvent =
  | (Span<'run-start'> & {
      readonly task: string
      readonly model: string
      readonly parser: string
      readonly executor: string
    } & Opening)
  | (Span<'run-end'> & RunOutcome)
  | (Span<'step-start'> & { readonly index: number })
  | (Span<'step-end'> & { readonly actions: readonly Action[]; readonly usage: Usage; readonly error?: ErrorJson })
  | (Span<'observation'> & Told)
  | (Span<'progress'> & Progress)
  | (Span<'user-message'> & { readonly text: string })
  | (Span<'compaction'> & Compaction)
  | (Span<'undo'> & Undo)
  | (Span<'review-start'> & { readonly by: Reviewer; readonly action: CodeAction })
  | (Span<'review-end'> & { readonly by: Reviewer; readonly verdict?: Verdict; readonly error?: ErrorJson })

type ModelStreamEvent =
  | (Span<'model-start'> & { readonly model: string })
  | (Span<'text-delta' | 'reasoning-delta'> & { readonly text: string })
  | (Span<'code-start'> & { readonly language: string })
  | (Span<'code-delta'> & { readonly text: string })
  | (Span<'code-end'> & { readonly action: CodeAction | InvalidAction })
  | (Span<'model-end'> & ModelOutcome)

type CellEventBody =
  | (Span<'execution-start'> & { readonly language: string; readonly code: string })
  | (Span<'stdout-delta' | 'stderr-delta'> & { readonly text: string })
  | (Span<'display'> & { readonly bundle: MimeBundle })
  | (Span<'tool-start'> & { readonly name: string; readonly input: JsonValue })
  | (Span<'tool-end'> & { readonly name: string; readonly outcome: ToolEndOutcome })
  | (Span<'execution-end'> & { readonly execution: Execution })

/** What the stream of one `execute()` holds. */
export type CellEvent = EventHead & EventBody

/**
 * What a run begins with, beyond its task: all that it takes to go on from its log. Absent in recordings of a model alone, and
 * in those that were written by hand.
 */
export interface Opening {
  /**
   * What the transcript has got since the last run of its session, the task included. Where it begins with a system prompt, it
   * is the whole transcript: whatever the log says before it is another conversation, or is in it.
   */
  readonly messages?: readonly Message[]
  /** With a whole transcript: the code that has made the variables, where they were rebuilt. */
  readonly cells?: readonly CellRecord[]
  /** The names of the files that were put into the working directory. */
  readonly files?: readonly string[]
}

/** What the model is told of a step. */
interface Told {
  readonly observation: Observation
  /** The same as the messages that it is in the transcript. */
  readonly messages?: readonly Message[]
}

/** Long work, told while it goes on. */
export interface Progress {
  /** What is being done, for a person: `making the Python snapshot (first start only)`. */
  readonly message: string
  /** From 0 to 1, where it is known. */
  readonly fraction?: number
}

/** Who was asked before code ran: the agent's `reviewer`, or its `approve`. */
type Reviewer = 'reviewer' | 'approve'

/** The transcript was made shorter: what the model is shown from here on begins with other messages. */
export interface Compaction {
  /** The name of the memory that did it. */
  readonly memory: string
  /** Tokens of the transcript before and after, estimated. */
  readonly before: number
  readonly after: number
  /** The transcript from here on. */
  readonly messages: readonly Message[]
  /** Of the model that summarised, where one did. */
  readonly usage?: Usage
}

/**
 * A step of a session was taken back, between two runs. It is the one event of a stream of its own, whose `run` is its `id`; a
 * log has it behind the run that it takes back from.
 */
export interface Undo extends Rollback {
  /** The id of the step. */
  readonly step: string
  /** The session as it was before that step, and is from here on. Files that were given to it since stay. */
  readonly session: SavedSession
}

/** How a run ended: with a stop reason, or with what an operator must mend. */
export interface RunOutcome {
  readonly stop: StopReason | 'error'
  readonly answer: string
  /** The answer's value, where the agent has a schema for it. */
  readonly value?: JsonValue
  readonly limit?: LimitReached
  readonly steps: number
  readonly usage: Usage
  readonly error?: ErrorJson
}

/** How a model call ended. A call that failed or was cut has the text that had come by then, and says what went wrong. */
export interface ModelOutcome {
  readonly message: AssistantMessage
  readonly finish: Finish | 'aborted' | 'error'
  readonly usage: Usage
  readonly error?: ErrorJson
}

/** Gives each event of one stream its head. */
export function eventStamp(run: string): (body: EventBody) => CodeActEvent {
  let seq = 0
  return (body) => ({ v: 1, seq: seq++, at: Date.now(), run, ...body })
}
