import { type CellRecord, CodeActError, type Sandbox } from '@codeact/spec'
import type { LazySandbox } from '../loop/lazy-sandbox.ts'
import { orStopped, type Scope, throwIfStopped } from '../loop/scope.ts'
import { RecordedCalls } from './recorded-calls.ts'

/**
 * Runs the code of before again, in a new sandbox, so that its variables are there. Its tools do nothing: what they gave then
 * is given again. Code that was stopped is left out: nobody knows how far it came, and its variables were taken back.
 *
 * @throws CodeActError `REBUILD_DIVERGED` where code goes another way than it went
 */
export async function rebuild(cells: readonly CellRecord[], lazy: LazySandbox, scope: Scope): Promise<void> {
  const again = cells.filter(({ status }) => status === 'ok' || status === 'error')
  for (const [index, cell] of again.entries()) {
    const fraction = index / again.length
    scope.emit({ type: 'progress', id: scope.run, message: 'running the code of before again', fraction })
    const sandbox = await orStopped(scope, lazy.get(scope))
    lazy.used.add(cell.language)
    const difference = await runAgain(cell, sandbox, scope)
    throwIfStopped(scope)
    if (difference !== undefined) throw diverged(`block ${index + 1} of ${again.length}`, difference)
  }
}

/** What went otherwise than it went then; undefined where nothing did. */
async function runAgain(cell: CellRecord, sandbox: Sandbox, { signal, context }: Scope): Promise<string | undefined> {
  const { language, code, status } = cell
  const stop = new AbortController()
  const calls = new RecordedCalls(cell, () => stop.abort())
  const either = AbortSignal.any([signal, stop.signal])
  const run = sandbox.execute(code, { language, context, signal: either, onToolCall: calls.answer })
  for await (const event of run) calls.see(event)
  const now = await run
  if (calls.other !== undefined) return `calls ${calls.other}, which it did not do then`
  if (now.status !== status) return `ends otherwise (${now.error?.name ?? now.status}) than it did then (${status})`
  return calls.missed === undefined ? undefined : `does not call ${calls.missed}, which it did then`
}

function diverged(where: string, difference: string): CodeActError {
  return new CodeActError('REBUILD_DIVERGED', `The session cannot be rebuilt: ${where} ${difference}.`, {
    hint: "What goes by the clock, by chance or by files may go another way each time. Go on without its variables: state: 'fresh'.",
  })
}
