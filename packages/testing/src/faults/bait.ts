import { newId, type Tool } from '@codeact/spec'
import { bareTool } from '../executor/tools.ts'

/** What no code in a sandbox may come to know: in the host's environment, in a tool's closure, in a tool's stack. */
export class Bait {
  readonly secret = newId('sentinel')
  readonly #variable = newId('CODEACT_TEST_SECRET')
  /** How often the tool `canary` ran. */
  calls = 0
  /** How many calls of the tool `wait` were told to stop. */
  stopped = 0
  /** Calls of `wait` that go on. */
  waiting = 0

  constructor() {
    process.env[this.#variable] = this.secret
  }

  remove(): void {
    delete process.env[this.#variable]
  }

  tools(): Tool[] {
    return [
      bareTool('canary', {}, () => {
        this.calls += 1
        return this.secret.length
      }),
      bareTool('echo', { value: {} }, ({ value }) => value),
      bareTool('wait', {}, (_input, { signal }) => this.#wait(signal)),
      bareTool('fail', {}, () => {
        const error = new RangeError('out of luck', { cause: new Error(this.secret) })
        error.stack = `RangeError: out of luck\n    at ${this.secret} (/host/path/tool.ts:1:1)`
        throw error
      }),
    ]
  }

  #wait(signal: AbortSignal): Promise<unknown> {
    this.waiting += 1
    return new Promise((resolve) => {
      const stop = (): void => {
        this.waiting -= 1
        this.stopped += 1
        resolve(null)
      }
      if (signal.aborted) stop()
      else signal.addEventListener('abort', stop, { once: true })
    })
  }
}
