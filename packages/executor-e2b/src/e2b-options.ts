import type { SandboxOptions } from '@codeact/sandbox'

/**
 * What `e2b()` takes. Of the common options, those that would limit a machine are refused: its memory, processors and disk are what
 * its template says.
 */
export interface E2bOptions extends SandboxOptions {
  /**
   * What runs the code. `kernel`, the default, is ours, as in other executors; `jupyter` is E2B's own notebook, with its results, charts
   * and magics, in a template that has it. See the README for what that costs.
   */
  readonly backend?: 'kernel' | 'jupyter'
  /** Name or id of what sandboxes are made from; it needs Python 3.9 or newer. Default `code-interpreter-v1`, which has numpy and pandas. */
  readonly template?: string
  /** A sandbox that runs already, to be used instead of a new one. It is not ended by `close()`, and its network is what it is. */
  readonly sandboxId?: string
  /** Milliseconds that a sandbox lives on when it is no longer used. E2B ends it then, whatever became of this process. Default 300 000. */
  readonly idleMs?: number
  /**
   * Whether that time begins anew while a cell runs, and with each use of the sandbox. Default true; if not, the sandbox ends `idleMs`
   * after it was made.
   */
  readonly keepAlive?: boolean
  /** Default `E2B_API_KEY`. */
  readonly apiKey?: string
  /** Of an E2B that is not the vendor's own cloud. Default `E2B_DOMAIN`, else `e2b.app`. */
  readonly domain?: string
  /** Where its API is, if not at `api.` of the domain. Default `E2B_API_URL`. */
  readonly apiUrl?: string
  /** Where its sandboxes are reached, if not by the domain. Default `E2B_SANDBOX_URL`. */
  readonly sandboxUrl?: string
}

export const DEFAULT_TEMPLATE = 'code-interpreter-v1'
