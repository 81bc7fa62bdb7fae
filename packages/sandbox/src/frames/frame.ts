/**
 * The unit of the kernel protocol: a header line and raw bytes, so that a shell can read it as well as Python can.
 *
 *     <type> <seq> <ack> <id> <length>\n<length bytes>
 *
 * `seq` counts the sender's frames from 1; `ack` is the last `seq` that the sender has received. `id` names the cell or the
 * call that the frame is about, `-` for none. Bodies are UTF-8 JSON, except those of `stdout` and `stderr`, which are the
 * bytes as they were written.
 */
export interface Frame {
  readonly type: string
  readonly seq: number
  readonly ack: number
  readonly id: string
  readonly body: Uint8Array
}

/** What a sender fills in; the rest of the header is the port's business. */
export interface FrameInput {
  readonly type: string
  readonly id?: string
  /** Bytes, or a value to be written as JSON. Nothing by default. */
  readonly body?: unknown
}

/** The largest body that is read, in bytes. Checked before anything is allocated. */
export const MAX_FRAME_BYTES = 64 * 1024 * 1024

/** No header is longer than this, newline included. */
export const MAX_HEADER_BYTES = 200
