import type { Executor, Sandbox, Tool } from '@codeact/spec'
import type { ReplyWatcher } from './ask-model.ts'
import { orStopped, type Scope } from './scope.ts'

/** By relative path. */
export type Files = Readonly<Record<string, string | Uint8Array>>

/** A sandbox that opens when it is about to be needed, and is there when it is. */
export class LazySandbox {
  /** The languages in which code has run. */
  readonly used = new Set<string>()
  /** The names of the files that were put into it. */
  readonly given = new Set<string>()
  readonly #executor: Executor
  readonly #tools: readonly Tool[]
  readonly #closing = new AbortController()
  readonly #discarded: Promise<void>[] = []
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

  /** Puts files into the working directory. */
  async put(files: Files, scope: Scope): Promise<void> {
    for (const [name, data] of Object.entries(files)) {
      const sandbox = await orStopped(scope, this.get(scope))
      await orStopped(scope, sandbox.files.write(name, data))
      this.given.add(name)
    }
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

  /** Ends it: whoever needs a sandbox next gets another one. */
  discard(): void {
    const ending = this.#end()
    this.#opening = undefined
    this.given.clear()
    this.#discarded.push(ending)
    // A failure is not lost: it meets whoever closes all.
    ending.catch(() => {})
  }

  async close(): Promise<void> {
    this.#closing.abort()
    const ends = await Promise.allSettled([...this.#discarded, this.#end()])
    for (const end of ends) if (end.status === 'rejected') throw end.reason
  }

  async #end(): Promise<void> {
    const sandbox = await this.ifOpen()
    await sandbox?.close()
  }

  #open(scope: Scope): Promise<Sandbox> {
    const opening = this.#executor.open({
      tools: this.#tools,
      signal: this.#closing.signal,
      onProgress: (progress) => scope.emit({ type: 'progress', id: scope.run, ...progress }),
    })
    opening.catch(() => {
      if (this.#opening === opening) this.#opening = undefined
    })
    return opening
  }
}
