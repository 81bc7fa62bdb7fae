import type { ContainerEnd } from './container-end.ts'

/** A container that runs, and the wire to its program. */
export interface RunningContainer {
  readonly id: string
  /** Settles, never rejects, within seconds of the end of its stream, however it went. */
  readonly closed: Promise<ContainerEnd>
  /** To the program's standard input. */
  write(bytes: Uint8Array | string): void
  /** Whether it keeps this process alive, which it does at first. */
  ref(): void
  unref(): void
  /** Kills and removes it. Resolves when it is gone, or within `patience.remove`; then `closed` has an error. Idempotent. */
  close(): Promise<void>
}
