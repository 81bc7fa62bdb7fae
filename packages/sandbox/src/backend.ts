import type { Capabilities, CodeActError, SandboxFiles } from '@codeact/spec'
import type { Frame, FrameInput } from './frames/frame.ts'

/** What an adapter makes for one sandbox: a place with files, in which kernels can be started. */
export interface Backend {
  readonly capabilities: Capabilities
  readonly files: BackendFiles
  /**
   * Starts a kernel. Called once per language, and again after a kernel has died; files outlive a kernel where
   * `capabilities` do not say otherwise. Each frame that comes is handed to `receive`, in order.
   */
  connect(language: string, receive: (frame: Frame) => void): Promise<Channel>
  /** Nobody uses it yet: it must not keep this process alive until somebody does. Backends without it are not pooled. */
  setIdle?(isIdle: boolean): void
  /** Whether a cell runs, for a place that lasts only as long as somebody says that it is needed. */
  setBusy?(isBusy: boolean): void
  /**
   * Puts the place to rest with all that is in it, and gives an id by which it can be found again, also by another process. Nothing
   * else is called after that, not even `close()`; where it rejects, the place goes on as it was.
   */
  suspend?(): Promise<string>
  /**
   * Makes the place of a twin, in which its first kernel is the copy of the one that runs here now: `ask` has that one make it, and
   * rejects where it does not. It lives on its own from then on. Backends without it cannot be forked.
   */
  fork?(ask: (request: ForkRequest) => Promise<void>): Promise<Backend>
  /** Ends everything that belongs to the sandbox, and removes what it left. */
  close(): Promise<void>
}

/**
 * What an adapter does with files, as `SandboxFiles` has it; the front door adds the rest. Paths are the caller's, as they came
 * (`insidePath` cleans them).
 */
export interface BackendFiles extends Pick<SandboxFiles, 'write' | 'read' | 'stream' | 'list' | 'remove'> {
  /** Makes a folder, with those around it; one that is there already is left as it is. */
  makeFolder(path: string): Promise<void>
}

/** The wire to one kernel, however far away it is. This is all that differs between executors that share kernels. */
export interface Channel {
  send(frame: FrameInput): void
  /** `interrupt` asks the running cell to stop, `kill-cell` ends it with every process it started. */
  signal(how: 'interrupt' | 'kill-cell', cell: string): void
  /**
   * Where a kernel is copied between cells: calls `listen` when it has ended and the copy goes on in its place. All that it said
   * before was received; what is received from then on is the copy's, which begins with the frame `awake`. What was sent and not
   * answered is forgotten.
   */
  onSuccession?(listen: (end: ChannelEnd) => void): void
  /** Milliseconds that a word and its answer took last, where the kernel is far away: so much longer it may take to stop. */
  readonly roundTripMs?: number
  /** Settles, never rejects, when the kernel is gone. */
  readonly closed: Promise<ChannelEnd>
  close(): Promise<void>
}

/** What a kernel is asked for that is to have a twin. */
export interface ForkRequest {
  /** Of the twin, among those of its place. */
  readonly name: string
  /** A socket at which the host listens for the twin's supervisor; null where it speaks through the one that it has already. */
  readonly door: string | null
  /** What the supervisor is started with (`pythonTwinStart()`). */
  readonly arguments: readonly string[]
  /** Where it will work: a folder that is not there yet. */
  readonly folder: string
}

/** How a kernel went. */
export interface ChannelEnd {
  readonly reason: 'closed' | 'exit' | 'signal' | 'protocol' | 'memory' | 'processes' | 'disk'
  /** For a person: `exit code 3`, `SIGSEGV`, the last words on its standard error; a limit as `limitEnd()` tells it. */
  readonly detail: string
  /** Whether the kernel alone has ended: the place in which it was is as it was. */
  readonly isOfKernel?: boolean
  /** What an operator must mend, where the adapter can tell. It is thrown when the kernel never came up. */
  readonly error?: CodeActError
  /** What a place that was lost knows of what was written to it. */
  readonly delivery?: Delivery
  /** What became of the last cell, where that is known and can be doubted. */
  readonly lastCell?: CellFate
}

/** Bytes from the first on. */
export interface Delivery {
  /** So many have arrived for certain. */
  readonly arrived: number
  /** So many have left, and may have arrived. */
  readonly left: number
}

export type CellFate = 'ran' | 'never-ran' | 'unknown'
