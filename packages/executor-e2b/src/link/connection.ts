import type { ChannelEnd } from '@codeact/sandbox'

/** A stream of text from a process that is far away. */
export interface Attachment {
  /** Settles, never rejects, when nothing comes any more, with what `judge()` can tell from. */
  readonly ended: Promise<unknown>
  detach(): void
}

/** A process far away, over a network: each of these can fail, and may then have had its effect or not. */
export interface Connection {
  attach(receive: (text: string) => void): Promise<Attachment>
  /** To its standard input. */
  send(text: string): Promise<void>
  /** Files in its folder. */
  writeFile(name: string, bytes: Uint8Array): Promise<void>
  readFile(name: string): Promise<Uint8Array>
  /** What a failure means: the end of it, or nothing that another attempt could not mend. Never rejects. */
  judge(failure: unknown): Promise<ChannelEnd | undefined>
}
