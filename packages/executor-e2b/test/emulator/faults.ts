/** Something that goes wrong with the next matching request, or with several. */
export interface Fault {
  /** The request's name: `POST /v2/sandboxes`, `GET /files`, `process.Process/SendInput`, `POST /execute`. */
  readonly on: string
  /** So many matching requests come first, whatever else strikes them. Default 0. */
  readonly skip?: number
  /** So many are then struck. Default 1. */
  readonly times?: number
  /** The request is held up, and then goes on as usual or as the rest says. */
  readonly delayMs?: number
  /** It has no effect, and this is its answer. */
  readonly answer?: { readonly status: number; readonly body?: unknown; readonly headers?: Record<string, string> }
  /** The connection ends without an answer: before the request took effect, or after. */
  readonly reset?: 'before' | 'after'
  /** The response ends early. */
  readonly cut?: Cut
}

/**
 * What happens once `afterBytes` of the response's body were sent, or all of it but the message that says that it is whole.
 * `reset` and `end` (the connection ends, the response ends as if it were whole) happen at that very byte; the rest between
 * two messages: `silence` (nothing comes any more), `keepalives` (nothing else comes), `expiry` (the sandbox's time is
 * over), an `error` of the Connect protocol, an `insert` into an otherwise whole response.
 */
export type Cut = { readonly afterBytes: number | 'all-but-last' } & (
  | { readonly by: 'reset' | 'end' | 'silence' | 'keepalives' | 'expiry' }
  | { readonly by: 'error'; readonly code: string; readonly message?: string }
  | { readonly by: 'insert'; readonly text: string }
)

/** The switches of an emulator. All are off at first, and can be turned at any time. */
export class Faults {
  /** Half of it on the way in, half of it on the way out, for whole answers and for each event of a stream. */
  roundTripMs = 0
  /** Inputs that are sent at the same time reach the process in another order, as may happen in E2B. */
  reordersStdin = false
  /** A sandbox more is refused with 429, as the plan of a team does. */
  maxSandboxes = Number.POSITIVE_INFINITY
  readonly #planned = new Map<Fault, { skip: number; times: number }>()

  add(fault: Fault): void {
    this.#planned.set(fault, { skip: fault.skip ?? 0, times: fault.times ?? 1 })
  }

  /** All switches off. */
  clear(): void {
    this.#planned.clear()
    this.roundTripMs = 0
    this.reordersStdin = false
    this.maxSandboxes = Number.POSITIVE_INFINITY
  }

  /** The fault that strikes this request: one at most, the first that is due. */
  take(route: string): Fault | undefined {
    const matching = [...this.#planned].filter(([{ on }]) => on === route)
    const due = matching.find(([, left]) => left.skip === 0 && left.times > 0)
    for (const [, left] of matching) left.skip = Math.max(0, left.skip - 1)
    if (due) due[1].times -= 1
    return due?.[0]
  }
}
