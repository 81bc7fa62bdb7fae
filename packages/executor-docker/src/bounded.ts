import { CodeActError, orAborted } from '@codeact/spec'

/**
 * One call to Docker, which may hang for ever when its daemon does: it is given up after `ms`, or at the abort of `outer`, and
 * either way `work` hears of it through its signal. `what` is the end of a sentence: `create a container`.
 *
 * Rejects with `EXECUTOR_UNAVAILABLE` (retryable) when the time is up, and with the reason of `outer` at its abort.
 */
export async function bounded<T>(
  what: string,
  ms: number,
  work: (signal: AbortSignal) => Promise<T>,
  outer?: AbortSignal,
): Promise<T> {
  outer?.throwIfAborted()
  const controller = new AbortController()
  const giveUp = (reason: unknown): void => controller.abort(reason)
  const onAbort = (): void => giveUp(outer?.reason)
  const timer = setTimeout(() => giveUp(hung(what, ms)), ms)
  outer?.addEventListener('abort', onAbort, { once: true })
  try {
    return await orAborted(work(controller.signal), controller.signal)
  } finally {
    clearTimeout(timer)
    outer?.removeEventListener('abort', onAbort)
  }
}

function hung(what: string, ms: number): CodeActError {
  return new CodeActError('EXECUTOR_UNAVAILABLE', `Docker did not ${what} within ${ms / 1000} s.`, {
    hint: 'See whether `docker ps` answers. If it hangs too, restart Docker: sudo systemctl restart docker.',
    isRetryable: true,
  })
}
