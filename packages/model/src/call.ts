import { CodeActError, type ModelRequest, orAborted } from '@codeact/spec'

/** One call: it ends by itself, by an abort, or when the caller has heard enough. */
export class Call {
  /** For whoever works for this call: it aborts when the caller's signal does, and at the end of the call. */
  readonly signal: AbortSignal
  readonly #outer: AbortSignal | undefined
  readonly #enough: AbortSignal | undefined
  readonly #controller = new AbortController()
  readonly #follow = () => this.#controller.abort(this.#outer?.reason)

  constructor({ signal, enough }: Pick<ModelRequest, 'signal' | 'enough'>) {
    this.signal = this.#controller.signal
    this.#outer = signal
    this.#enough = enough
    if (signal?.aborted) this.#follow()
    signal?.addEventListener('abort', this.#follow, { once: true })
  }

  get hasEnough(): boolean {
    return this.#enough?.aborted === true
  }

  /** Settles as `work` does, or rejects at an abort, at once; also when the caller has enough, unless the reply is whole. */
  wait<T>(work: Promise<T>, isWhole = false): Promise<T> {
    const unlessAborted = orAborted(work, this.signal, () => aborted(this.signal))
    return this.#enough === undefined || isWhole ? unlessAborted : orAborted(unlessAborted, this.#enough)
  }

  throwIfAborted(): void {
    if (this.#outer?.aborted) throw aborted(this.#outer)
  }

  /** Ends whatever still works for it: nothing goes on behind the call. */
  end(): void {
    this.#outer?.removeEventListener('abort', this.#follow)
    this.#controller.abort()
  }
}

function aborted({ reason }: AbortSignal): CodeActError {
  return new CodeActError('MODEL_ABORTED', 'The call to the model was aborted.', { cause: reason })
}
