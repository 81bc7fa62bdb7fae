import { BadRequestError, UnprocessableEntityError } from '@anthropic-ai/sdk'

/** What a request can do without. */
const OPTIONAL = ['stop_sequences', 'cache_control'] as const

export type Optional = (typeof OPTIONAL)[number]

/** What a model's server has refused so far. Remembered for the life of the model object, so that each costs one request. */
export class Refused {
  #fields: ReadonlySet<Optional> = new Set()

  /** As it stands: what is learned later does not show in it. */
  get fields(): ReadonlySet<Optional> {
    return this.#fields
  }

  /**
   * True when the failure of a request names something optional that the request was not without: it is refused from now
   * on, and the call worth another try.
   */
  learn(error: unknown, without: ReadonlySet<Optional>): boolean {
    if (!(error instanceof BadRequestError || error instanceof UnprocessableEntityError)) return false
    const field = OPTIONAL.find((name) => !without.has(name) && new RegExp(`\\b${name}\\b`).test(error.message))
    if (field === undefined) return false
    this.#fields = new Set([...this.#fields, field])
    return true
  }
}
