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

export function modelAborted(signal: AbortSignal): CodeActError {
  return new CodeActError('MODEL_ABORTED', 'The call to the model was aborted.', { cause: signal.reason })
}
