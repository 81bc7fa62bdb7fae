import { setTimeout as sleep } from 'node:timers/promises'
import type { CodeActError } from '@codeact/spec'
import type { Call } from './call.ts'
import type { Fault } from './fault.ts'

const FIRST_PAUSE_MS = 500
const LONGEST_OWN_PAUSE_MS = 8_000
/** The longest pause that a server may ask for. A limit that lasts longer is told, not slept through. */
const LONGEST_PAUSE_MS = 60_000

/** The tries of one call, and the pauses between them. This is the one place for them: the vendors' SDKs are told to try once. */
export class Tries {
  readonly #max: number
  readonly #call: Call
  #count = 0

  constructor(max = 2, call: Call) {
    this.#max = max
    this.#call = call
  }

  /** Waits before the next try; throws the error where none is due. */
  async pauseBefore(error: CodeActError, fault: Fault): Promise<void> {
    const pauseMs = askedFor(fault) ?? ownPause(this.#count)
    if (this.#count >= this.#max || pauseMs > LONGEST_PAUSE_MS || !isWorthwhile(error, fault)) throw error
    this.#count += 1
    await this.#call.wait(sleep(pauseMs, undefined, { signal: this.#call.signal })).catch((reason: unknown) => {
      if (!this.#call.hasEnough) throw reason // else there is nothing left to wait for
    })
  }
}

/** The server may know better. A reply that broke off was counted, and mostly paid for: its caller decides. */
function isWorthwhile({ isRetryable, code }: CodeActError, fault: Fault): boolean {
  const said = header(fault, 'x-should-retry')
  return said === 'true' || (said !== 'false' && isRetryable && code !== 'MODEL_STREAM_CUT')
}

/** Doubled each time; a little less by chance, so that calls that failed together do not come back together. */
function ownPause(count: number): number {
  return Math.min(FIRST_PAUSE_MS * 2 ** count, LONGEST_OWN_PAUSE_MS) * (1 - Math.random() / 4)
}

/** Milliseconds that the server asks to wait, by its headers. */
function askedFor(fault: Fault): number | undefined {
  const exact = Number(header(fault, 'retry-after-ms'))
  if (exact > 0) return exact
  const after = header(fault, 'retry-after')
  if (after === undefined) return undefined
  const pause = Number.isNaN(Number(after)) ? Date.parse(after) - Date.now() : Number(after) * 1000
  return pause > 0 ? pause : undefined
}

function header({ headers = {} }: Fault, name: string): string | undefined {
  const value = typeof headers.get === 'function' ? headers.get(name) : (headers as Record<string, unknown>)[name]
  return typeof value === 'string' ? value : undefined
}
