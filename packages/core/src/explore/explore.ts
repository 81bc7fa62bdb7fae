import {
  type CellEvent,
  CodeActError,
  type ExecuteOptions,
  type Execution,
  orAborted,
  type Sandbox,
  type ToolCall,
  type ToolContext,
  type ToolOutcome,
} from '@codeact/spec'
import { Forks } from './forks.ts'

/** Code that may be the one; in the sandbox's first language, where it is not said. */
export interface Candidate {
  readonly code: string
  readonly language?: string
}

/** What the judge sees of a candidate. */
export interface Attempt extends Candidate {
  /** Its place among the candidates, from 0. */
  readonly index: number
  readonly execution: Execution
  /** The twin that it ran in: a cell in it measures what came of it. */
  readonly sandbox: Sandbox
}

export interface ExploreOptions extends Pick<ExecuteOptions, 'timeoutMs' | 'context'> {
  /**
   * Gives the index of the best; undefined, or -1 as `findIndex` does, where none is good enough. It sees all in their order,
   * the failed ones too, when each is over. The signal aborts with the exploration.
   */
  readonly judge: (
    attempts: readonly Attempt[],
    signal: AbortSignal,
  ) => number | undefined | Promise<number | undefined>
  readonly signal?: AbortSignal
  /** Sees the events of all cells as they come, each with the index of its candidate. */
  readonly onEvent?: (event: CellEvent, index: number) => void
  /** As for `execute()`: for tools that are not to work three times over, say. */
  readonly onToolCall?: (call: ToolCall, context: ToolContext, index: number) => Promise<ToolOutcome>
}

export interface Exploration {
  /** What came of each candidate, in their order. */
  readonly executions: readonly Execution[]
  /** The index of the one that was chosen; absent where none was. */
  readonly winner?: number
  /** The winner's: open, and yours to close. */
  readonly sandbox?: Sandbox
}

/**
 * Tries pieces of code out, each in a twin of the sandbox, side by side; a judge chooses, and the winner's sandbox is what one
 * goes on with. All others are closed when this settles, whichever way; one that was still being made at an abort, as it comes.
 * The sandbox itself stays as it is, and is the caller's.
 *
 * Rejects with what the judge throws, with `WINNER_UNKNOWN` where it gives no index, with the signal's reason at an abort, and
 * with `FORK_UNSUPPORTED` where there can be no twin. A candidate that fails is an execution like any other.
 */
export async function explore(
  sandbox: Sandbox,
  candidates: readonly (string | Candidate)[],
  options: ExploreOptions,
): Promise<Exploration> {
  const forks = new Forks()
  const { signal = new AbortController().signal } = options
  try {
    const twins = await forks.make(sandbox, candidates.length, signal)
    const attempts = await orAborted(
      Promise.all(candidates.map((one, index) => attempt(one, index, twins, options))),
      signal,
    )
    const winner = await chosen(attempts, options.judge, signal)
    await forks.close(winner?.sandbox)
    const executions = attempts.map(({ execution }) => execution)
    return winner === undefined ? { executions } : { executions, winner: winner.index, sandbox: winner.sandbox }
  } catch (error) {
    await forks.close().catch(() => {})
    throw error
  }
}

async function attempt(
  given: string | Candidate,
  index: number,
  twins: readonly Sandbox[],
  { onEvent, onToolCall, timeoutMs, context, signal }: ExploreOptions,
): Promise<Attempt> {
  const { code, language }: Candidate = typeof given === 'string' ? { code: given } : given
  const sandbox = twins[index] as Sandbox
  const dispatch: ExecuteOptions['onToolCall'] = onToolCall && ((call, about) => onToolCall(call, about, index))
  const cell = sandbox.execute(code, { language, timeoutMs, context, signal, onToolCall: dispatch })
  for await (const event of cell) onEvent?.(event, index)
  return { index, code, language, execution: await cell, sandbox }
}

/** Without candidates there is nothing to ask. */
async function chosen(
  attempts: readonly Attempt[],
  judge: ExploreOptions['judge'],
  signal: AbortSignal,
): Promise<Attempt | undefined> {
  signal.throwIfAborted()
  if (attempts.length === 0) return undefined
  const index = await orAborted(Promise.resolve(judge(attempts, signal)), signal)
  if (index === undefined || index === -1) return undefined
  const winner = attempts[index]
  if (winner !== undefined) return winner
  throw new CodeActError('WINNER_UNKNOWN', `The judge gave ${index}, which is no candidate's index.`, {
    hint: `Give one from 0 to ${attempts.length - 1}, or undefined where none is good enough.`,
  })
}
