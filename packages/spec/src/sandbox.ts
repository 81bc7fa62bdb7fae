import type { CellEvent } from './event.ts'
import type { Execution, Rollback } from './execution.ts'
import type { Run } from './run.ts'
import type { SandboxFiles } from './sandbox-files.ts'
import type { ToolCall, ToolContext, ToolOutcome } from './tool.ts'

/** A place where code runs and state lives from cell to cell, until `close()`. */
export interface Sandbox extends AsyncDisposable {
  readonly id: string
  /** What was found when it opened, not what was hoped. */
  readonly capabilities: Capabilities
  /** Runs one cell. Calls queue, first in first out; each one's time counts from its own start. */
  execute(code: string, options?: ExecuteOptions): Run<CellEvent, Execution>
  readonly files: SandboxFiles
  inspect?(language?: string): Promise<readonly Variable[]>
  /**
   * Keeps a copy of all variables, once the cells before it in the queue are over, and gives an id to `restore()` it by. The
   * newest eight are kept; they end with the sandbox. Rejects with `CHECKPOINT_UNSUPPORTED` where a language that has run cannot
   * be copied, and with `CHECKPOINT_FAILED` where there is no copy this time: too much memory is held, for one.
   */
  checkpoint?(): Promise<string>
  /**
   * Puts all variables back as they were at that checkpoint, in its turn in the queue, and as often as it is asked to. What
   * still runs in the kernel ends. Files stay as they are; `lost` names what else is not back. Rejects with `CHECKPOINT_GONE`
   * where that checkpoint is not kept any more, and then changes nothing; and with `CHECKPOINT_UNSUPPORTED`.
   */
  restore?(id: string): Promise<Rollback>
  /** Lets a checkpoint go, and with it the memory that it holds. One that is not kept any more is no error. */
  release?(id: string): Promise<void>
  /**
   * An independent twin, from the present state, in its turn in the queue: its variables, tools and options are those of this
   * one, its working directory is a copy. It is closed by itself, and lives on where this one is closed. Rejects with
   * `FORK_UNSUPPORTED` where a language that has run cannot be copied.
   */
  fork?(): Promise<Sandbox>
  suspend?(): Promise<string>
  /** Ends the sandbox and everything in it. Idempotent. */
  close(): Promise<void>
}

export interface ExecuteOptions {
  /** Canonical name or alias; the sandbox's first language by default. */
  readonly language?: string
  /** Milliseconds; the executor's `timeoutMs` by default. */
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
  /** Handed to tools as `context.context`. */
  readonly context?: unknown
  /** Replaces the front door's dispatch for this cell (budgets, approval, nested runs); `call.invoke()` goes on as usual. */
  readonly onToolCall?: (call: ToolCall, context: ToolContext) => Promise<ToolOutcome>
}

export interface Capabilities {
  /** The languages it runs, the default first. */
  readonly languages: readonly LanguageInfo[]
  /** What separates the code from the host, in a few words: `bubblewrap`, `WebAssembly in a child process`, `none`. */
  readonly isolation: string
  /** Promises of the contract that this sandbox does not keep, each with its reason. */
  readonly exceptions: readonly PromiseException[]
}

export interface LanguageInfo {
  readonly language: string
  /** As the runtime reports it: `3.13.1`. */
  readonly version: string
  /** Whether state survives a cell that is killed. */
  readonly checkpoint: boolean
}

/** The rows of the contract that every executor is held to. A detail of a row is named after a dot: `limits.memory`. */
export type PromiseName =
  | 'state'
  | 'value'
  | 'output'
  | 'errors'
  | 'display'
  | 'tools'
  | 'timeout'
  | 'crash'
  | 'limits'
  | 'isolation'
  | 'hygiene'
  | 'files'

export interface PromiseException {
  readonly promise: PromiseName | `${PromiseName}.${string}`
  readonly reason: string
}

export interface Variable {
  readonly name: string
  readonly type: string
  /** For arrays and tables: `(3, 4)`. */
  readonly shape?: string
  /** Bytes, as far as the language tells. */
  readonly size?: number
}
