import { CodeActError } from '@codeact/spec'
import type { ChannelEnd } from '../backend.ts'
import type { FrameInput } from '../frames/frame.ts'

/** What `files.py` can do, on the other side. Data is in base64. */
export interface FileOperations {
  write: { args: { path: string; offset: number; data: string }; reply: object }
  read: { args: { path: string; offset: number; length: number }; reply: { data: string } }
  list: { args: { path: string }; reply: { entries: unknown[] } }
  folder: { args: { path: string }; reply: object }
  remove: { args: { path: string }; reply: object }
}

/** It comes from the sandbox. */
export type FileReply = { ok: true } | { ok: false; code: string; message: string }

interface Pending {
  readonly resolve: (reply: FileReply) => void
  readonly reject: (error: CodeActError) => void
}

/** Questions about a sandbox's files, which go there as frames, and the answers. */
export class FileRequests {
  readonly #send: (frame: FrameInput) => void
  readonly #pending = new Map<string, Pending>()
  #end: ChannelEnd | undefined
  #last = 0

  constructor(send: (frame: FrameInput) => void) {
    this.#send = send
  }

  /** Rejects with the `CodeActError` that the answer names, or with `FILES_FAILED` if there is none any more. */
  async ask<Op extends keyof FileOperations>(
    op: Op,
    args: FileOperations[Op]['args'],
  ): Promise<FileOperations[Op]['reply']> {
    if (this.#end !== undefined) throw gone(this.#end)
    const id = `f${++this.#last}`
    const reply = await new Promise<FileReply>((resolve, reject) => {
      this.#pending.set(id, { resolve, reject })
      this.#send({ type: 'file', id, body: { op, args } })
    })
    if (reply.ok) return reply as FileOperations[Op]['reply']
    throw new CodeActError(String(reply.code), String(reply.message))
  }

  answer(id: string, reply: FileReply): void {
    this.#pending.get(id)?.resolve(reply)
    this.#pending.delete(id)
  }

  /** Nobody will answer any more. */
  abandon(end: ChannelEnd): void {
    this.#end = end
    for (const { reject } of this.#pending.values()) reject(gone(end))
    this.#pending.clear()
  }
}

function gone({ detail }: ChannelEnd): CodeActError {
  return new CodeActError('FILES_FAILED', `The process that held the files ended: ${detail}`, { isRetryable: true })
}
