/**
 * Settles as `work` does, or rejects at the abort, whichever comes first: for work that does not look at the signal itself.
 * By default it rejects with the signal's own reason. No listener is left behind.
 */
export function orAborted<T>(
  work: Promise<T>,
  signal: AbortSignal,
  reason: () => unknown = () => signal.reason,
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const onAbort = (): void => reject(reason())
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}
