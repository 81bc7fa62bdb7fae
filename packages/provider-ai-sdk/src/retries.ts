import { setTimeout as sleep } from 'node:timers/promises'
import type { CodeActError } from '@codeact/spec'
import { modelAborted } from './abort.ts'
import { reasonOf } from './errors.ts'
import { isRecord } from './stream-part.ts'

/** Waits before the next try after `error`; throws it where none is due. */
export type PauseBefore = (error: CodeActError, thrown: unknown) => Promise<void>

const FIRST_PAUSE_MS = 500
const LONGEST_OWN_PAUSE_MS = 8_000
/** The longest pause that a server may ask for. A limit that lasts longer is told, not slept through. */
const LONGEST_PAUSE_MS = 60_000

/** The tries of one call. The models of the AI SDK have none of their own, so this is the one place for them. */
export function retries(max = 2, signal: AbortSignal): PauseBefore {
  let count = 0
  return async (error, thrown) => {
    const pauseMs = askedFor(reasonOf(thrown)) ?? ownPause(count)
    if (!error.isRetryable || count >= max || pauseMs > LONGEST_PAUSE_MS) throw error
    count += 1
    await sleep(pauseMs, undefined, { signal }).catch(() => {
      throw modelAborted(signal)
    })
  }
}

/** Doubled each time; a little less by chance, so that calls that failed together do not come back together. */
function ownPause(count: number): number {
  return Math.min(FIRST_PAUSE_MS * 2 ** count, LONGEST_OWN_PAUSE_MS) * (1 - Math.random() / 4)
}

/** Milliseconds that the server asks to wait, by its headers. */
function askedFor(error: unknown): number | undefined {
  const headers = isRecord(error) && isRecord(error.responseHeaders) ? error.responseHeaders : {}
  const exact = Number(headers['retry-after-ms'])
  if (exact > 0) return exact
  const after = headers['retry-after']
  if (typeof after !== 'string') return undefined
  const pause = Number.isNaN(Number(after)) ? Date.parse(after) - Date.now() : Number(after) * 1000
  return pause > 0 ? pause : undefined
}
