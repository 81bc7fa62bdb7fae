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
  /** Settles, never rejects, when the kernel is gone. */
  readonly closed: Promise<ChannelEnd>
  close(): Promise<void>
}

/** How a kernel went. */
export interface ChannelEnd {
  readonly reason: 'closed' | 'exit' | 'signal' | 'protocol' | 'memory'
  /** For a person: `exit code 3`, `SIGSEGV`, the last words on its standard error. */
  readonly detail: string
  /** What an operator must mend, where the adapter can tell. It is thrown when the kernel never came up. */
  readonly error?: CodeActError
}
