import type { ChannelEnd, FrameInput } from '@codeact/sandbox'
import { CodeActError } from '@codeact/spec'

/** What the child's `files.py` can do. Data is in base64. */
export interface FileOperations {
  write: { args: { path: string; offset: number; data: string }; reply: object }
  read: { args: { path: string; offset: number; length: number }; reply: { data: string } }
  list: { args: { path: string }; reply: { entries: unknown[] } }
  remove: { args: { path: string }; reply: object }
}

type Reply = { ok: true } | { ok: false; code: string; message: string }

interface Pending {
  readonly resolve: (reply: Reply) => void
  readonly reject: (error: CodeActError) => void
}

/** Questions about the files of one Python, and its answers. It answers while it waits: between cells, in tool calls. */
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
    const reply = await new Promise<Reply>((resolve, reject) => {
      this.#pending.set(id, { resolve, reject })
      this.#send({ type: 'file', id, body: { op, args } })
    })
    if (reply.ok) return reply as FileOperations[Op]['reply']
    throw new CodeActError(String(reply.code), String(reply.message))
  }

  answer(id: string, reply: Reply): void {
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
