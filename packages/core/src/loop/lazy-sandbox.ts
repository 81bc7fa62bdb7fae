import type { Executor, Sandbox, Tool } from '@codeact/spec'
import type { ReplyWatcher } from './ask-model.ts'
import type { Scope } from './scope.ts'

/** A sandbox that opens when it is about to be needed, and is there when it is. */
export class LazySandbox {
  /** The languages in which code has run. */
  readonly used = new Set<string>()
  readonly #executor: Executor
  readonly #tools: readonly Tool[]
  readonly #closing = new AbortController()
  #opening: Promise<Sandbox> | undefined

  constructor(executor: Executor, tools: readonly Tool[]) {
    this.#executor = executor
    this.#tools = tools
  }

  get executorName(): string {
    return this.#executor.name
  }

  get(scope: Scope): Promise<Sandbox> {
    this.#opening ??= this.#open(scope)
    return this.#opening
  }

  /** Undefined where it was not opened, or failed to. */
  async ifOpen(): Promise<Sandbox | undefined> {
    return this.#opening?.catch(() => undefined)
  }

  /** Opens at a reply's first token; where an open sandbox costs money, not before the first code. */
  watcher(scope: Scope): ReplyWatcher {
    // A failure to open is not lost here: it meets whoever needs the sandbox.
    const warm = (): void => void this.get(scope).catch(() => {})
    return { onFirstToken: this.#executor.isBilled === true ? () => {} : warm, onCode: warm }
  }

  async close(): Promise<void> {
    this.#closing.abort()
    const sandbox = await this.#opening?.catch(() => undefined)
    await sandbox?.close()
  }

  #open(scope: Scope): Promise<Sandbox> {
    const opening = this.#executor.open({
      tools: this.#tools,
      signal: this.#closing.signal,
      onProgress: (progress) => scope.emit({ type: 'progress', id: scope.run, ...progress }),
    })
    opening.catch(() => {
      this.#opening = undefined
    })
    return opening
  }
}
