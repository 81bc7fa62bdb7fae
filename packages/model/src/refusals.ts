import type { ModelDefinition } from './definition.ts'
import type { Fault } from './fault.ts'

/** What a model's server has refused so far. Remembered for the life of the model object, so that each costs one request. */
export class Refusals {
  #names: ReadonlySet<string> = new Set()

  /** As it stands: what is learned later does not show in it. */
  get names(): ReadonlySet<string> {
    return this.#names
  }

  /**
   * True when the failure is about something that the request can do without, and was sent: the call is worth another try.
   *
   * @param without what was not sent: `names` as they were then. Another call may have learned the same meanwhile.
   */
  learn<Body, Event>(
    { refusedBy }: ModelDefinition<Body, Event>,
    fault: Fault,
    body: Body,
    without: ReadonlySet<string>,
  ): boolean {
    if (fault.status !== 400 && fault.status !== 422) return false
    const refused = (refusedBy?.(fault, body) ?? []).filter((name) => !without.has(name))
    this.#names = new Set([...this.#names, ...refused])
    return refused.length > 0
  }
}
