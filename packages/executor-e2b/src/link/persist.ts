import { setTimeout as sleep } from 'node:timers/promises'
import type { ChannelEnd } from '@codeact/sandbox'
import { CodeActError } from '@codeact/spec'
import type { Connection } from './connection.ts'
import type { LinkPatience } from './patience.ts'

/** Thrown where another attempt is of no use. */
export class Lost extends Error {
  readonly end: ChannelEnd

  constructor(end: ChannelEnd) {
    super(end.detail)
    this.end = end
  }
}

/** Does something until it succeeds. Rejects with `Lost` where it never will, or has not for too long. */
export async function persist<T>(
  work: () => Promise<T>,
  connection: Pick<Connection, 'judge'>,
  { outage, firstPause, longestPause }: LinkPatience,
  signal: AbortSignal,
): Promise<T> {
  const since = performance.now()
  for (let pause = firstPause; ; pause = Math.min(longestPause, pause * 2)) {
    signal.throwIfAborted()
    try {
      return await work()
    } catch (error) {
      signal.throwIfAborted()
      if (CodeActError.is(error)) throw error
      const end = await connection.judge(error)
      if (end !== undefined) throw new Lost(end)
      if (performance.now() - since > outage) throw new Lost(outOfReach(error))
    }
    await sleep(pause, undefined, { signal })
  }
}

function outOfReach(error: unknown): ChannelEnd {
  const words = error instanceof Error ? error.message : String(error)
  return { reason: 'closed', detail: `the network is gone, the sandbox cannot be reached (${words})` }
}
