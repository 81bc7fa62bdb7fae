import type { Progress } from './event.ts'
import type { Sandbox } from './sandbox.ts'
import type { Tool } from './tool.ts'

/** What runs code: a factory of sandboxes of one technology. */
export interface Executor extends AsyncDisposable {
  readonly name: string
  /** Canonical names of the languages that its sandboxes run, the default first. Known before one opens: prompts need it. */
  readonly languages: readonly string[]
  /** True where an open sandbox costs money, so that it is opened no earlier than needed. */
  readonly isBilled?: boolean
  /** Opens a sandbox; rejects with a `CodeActError` if it cannot keep what its options ask for. */
  open(options?: OpenOptions): Promise<Sandbox>
  /** Ends what the executor keeps beyond its sandboxes (pools). Sandboxes that are still open are closed too. */
  close(): Promise<void>
}

export interface OpenOptions {
  /** Offered to code in every language as functions. */
  readonly tools?: readonly Tool[]
  /** Files to put into the working directory, by relative path. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>
  /** The id that `suspend()` gave, to go on with that sandbox. */
  readonly resume?: string
  readonly signal?: AbortSignal
  /** Told of long work while opening: an image being pulled, a snapshot being made. */
  readonly onProgress?: (progress: Progress) => void
}
