import type { CodeActEvent } from '@codeact/spec'

/** Knows the events of runs inside the run that is watched: of agents that were called, or that review code. */
export class Nested {
  readonly #spans = new Set<string>()

  has({ type, id, parent }: CodeActEvent): boolean {
    const isInside = this.#spans.has(id) || (parent !== undefined && (type === 'run-start' || this.#spans.has(parent)))
    if (isInside) this.#spans.add(id)
    return isInside
  }
}
