import { CodeActError } from '@codeact/spec'

/** A signal of one call's own: it follows `outer`, and `release` ends whatever still listens to it. */
export function linkAbort(outer: AbortSignal | undefined): {
  readonly signal: AbortSignal
  readonly release: () => void
} {
  const controller = new AbortController()
  const follow = () => controller.abort(outer?.reason)
  if (outer?.aborted) follow()
  outer?.addEventListener('abort', follow, { once: true })
  const release = () => {
    outer?.removeEventListener('abort', follow)
    controller.abort()
  }
  return { signal: controller.signal, release }
}

/** Settles as `promise` does, or rejects at the abort, whichever comes first. The SDK does not wake from its pauses. */
export function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(modelAborted(signal))
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    promise.then(resolve, reject)
  })
}

export function modelAborted(signal: AbortSignal): CodeActError {
  return new CodeActError('MODEL_ABORTED', 'The call to the model was aborted.', { cause: signal.reason })
}
