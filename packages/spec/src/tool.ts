import type { EventBody } from './event.ts'
import type { Schema } from './schema.ts'

/** A TypeScript function offered to code. It runs on the host, with its closures and credentials. */
export interface Tool<I = unknown, O = unknown> {
  /** An identifier in every language: letters, digits and `_`, not starting with a digit. */
  readonly name: string
  readonly description: string
  /** An object schema. Positional arguments bind to its properties: required ones first, each group in schema order. */
  readonly parameters: Schema<I>
  /** Decides how the result is typed in the sandbox: `number` arrives as a float, `integer` as an int. */
  readonly returns?: Schema<O>
  execute(input: I, context: ToolContext): O | Promise<O>
  /** True for tools that wait for people or agents: while all threads of a cell wait in such tools its clock stands still. */
  readonly pausesClock?: boolean
}

export interface ToolContext {
  readonly callId: string
  /** The cell that calls; the step, where the model calls the tool itself. */
  readonly executionId: string
  /** Aborts when the cell (or the run) is cancelled, times out or its sandbox closes. */
  readonly signal: AbortSignal
  /** Whatever the caller of `run()` handed in for tools. */
  readonly context: unknown
  /** Puts an event of the tool's own (say, of a nested run) into the cell's stream. */
  emit(event: EventBody): void
}

/** A call that passed the front door: the tool exists and its input fits. */
export interface ToolCall {
  readonly callId: string
  readonly tool: Tool
  readonly input: unknown
  /** Runs the tool. What it throws comes back as an outcome, without stack or cause. */
  invoke(): Promise<ToolOutcome>
}

export type ToolOutcome =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: { readonly name: string; readonly message: string } }
