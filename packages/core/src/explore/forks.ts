import { CodeActError, orAborted, type Sandbox } from '@codeact/spec'

/** Twins of one sandbox. What is not given away in the end is closed. */
export class Forks {
  readonly #all: Sandbox[] = []

  /**
   * Makes them one after the other, for each waits its turn in the queue of their parent. One that comes when nobody waits any
   * more is closed as it comes.
   */
  async make(parent: Sandbox, count: number, signal: AbortSignal): Promise<readonly Sandbox[]> {
    while (this.#all.length < count) {
      signal.throwIfAborted()
      const fork = forkOf(parent)
      try {
        this.#all.push(await orAborted(fork, signal))
      } catch (error) {
        fork.then((late) => late.close()).catch(() => {})
        throw error
      }
    }
    return this.#all
  }

  /** Waits until all are closed that are to be; what fails first in that is thrown when each had its try. */
  async close(except?: Sandbox): Promise<void> {
    const ends = await Promise.allSettled(this.#all.filter((fork) => fork !== except).map((fork) => fork.close()))
    for (const end of ends) if (end.status === 'rejected') throw end.reason
  }
}

async function forkOf(parent: Sandbox): Promise<Sandbox> {
  if (parent.fork !== undefined) return parent.fork()
  throw new CodeActError('FORK_UNSUPPORTED', 'This sandbox cannot be forked.', {
    hint: 'Explore in one whose language has checkpoint: true in its capabilities, such as that of local().',
  })
}
