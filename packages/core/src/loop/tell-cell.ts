import type { CodeAction, Execution, Observation, Sandbox } from '@codeact/spec'
import type { LoopContext } from './context.ts'
import { isTooLong } from './cut-to-tokens.ts'
import { inventory } from './inventory.ts'
import { keepText } from './keep-text.ts'
import { observe, outputOf } from './observe.ts'
import { orStopped, type Scope } from './scope.ts'

/** The code that ran, and why it is not what the model wrote; empty where it is. */
export interface RanCode {
  readonly action: CodeAction
  readonly changes: readonly string[]
}

/** What the model is told of a cell: its output or where all of it is, which variables are left, what ran in its place. */
export async function tellCell(
  { action, changes }: RanCode,
  execution: Execution,
  { telling, inventory: isWanted }: LoopContext,
  sandbox: Sandbox,
  scope: Scope,
): Promise<Observation> {
  // A run that is being stopped asks nothing more of its sandbox.
  const asked = <T>(work: () => Promise<T>): Promise<T | undefined> =>
    scope.signal.aborted ? Promise.resolve(undefined) : orStopped(scope, work()).catch(() => undefined)
  const output = outputOf(execution)
  const file = isTooLong(output, telling) ? await asked(() => keepText(sandbox, output)) : undefined
  const isChanged = execution.state !== 'kept' && isWanted
  const names = isChanged ? ((await asked(() => inventory(sandbox, [action.language]))) ?? '') : ''
  const observation = observe(action, execution, telling, file)
  const notes = [names, changes.length === 0 ? '' : edited(action, changes)].filter((note) => note !== '')
  return notes.length === 0 ? observation : { ...observation, text: [observation.text, ...notes].join('\n') }
}

function edited({ code }: CodeAction, changes: readonly string[]): string {
  const why = changes.filter((change) => change !== '').join(' ')
  return `Note: your code was changed before it ran${why === '' ? '' : ` (${why})`}. This is what ran:\n${code}`
}
