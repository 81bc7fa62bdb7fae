import { type ChildProcess, spawn } from 'node:child_process'
import type { Cage } from './cage.ts'
import { Refusal } from './refusal.ts'

type Head = Readonly<Record<string, unknown>>

/** An answer of the agent, with the raw bytes that came along. */
export interface Reply {
  readonly head: Head
  readonly body: Buffer
}

/** What the agent says by itself: `output` and `end` of a process. */
export type AgentEvent = (head: Head, body: Buffer) => void

/** The emulator's end of the line to the first process inside a sandbox. */
export class Agent {
  readonly #child: ChildProcess
  readonly #onEvent: AgentEvent
  readonly #waiting = new Map<number, { resolve: (reply: Reply) => void; reject: (error: Error) => void }>()
  /** Nothing inside is left. */
  readonly closed: Promise<void>
  #received: Buffer = Buffer.alloc(0)
  #lastId = 0
  #isClosed = false
  #lastWords = ''

  constructor(cage: Cage, onEvent: AgentEvent) {
    const [file = '', ...args] = cage.command
    this.#onEvent = onEvent
    this.#child = spawn(file, args, { stdio: 'pipe', env: { PATH: process.env.PATH } })
    this.#child.stdout?.on('data', (bytes: Buffer) => this.#feed(bytes))
    this.#child.stderr?.on('data', (bytes: Buffer) => {
      this.#lastWords = (this.#lastWords + bytes).slice(-4000)
    })
    this.#child.stdin?.on('error', () => {})
    this.closed = new Promise<unknown>((resolve) => {
      this.#child.on('error', resolve)
      this.#child.on('close', resolve)
    }).then(() => this.#abandon())
  }

  /** `onReply` is called before anything that the agent says after the reply. */
  ask<T = Head>(op: string, head: Head = {}, body: Uint8Array = Buffer.alloc(0), onReply = first<T>): Promise<T> {
    this.#lastId += 1
    const id = this.#lastId
    this.#child.stdin?.write(frame({ ...head, id, op }, body))
    return new Promise((resolve, reject) => {
      if (this.#isClosed) throw this.#gone()
      this.#waiting.set(id, { resolve: (reply) => resolve(onReply(reply)), reject })
    })
  }

  /** Nothing inside survives its first process. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL')
    await this.closed
  }

  #feed(bytes: Buffer): void {
    this.#received = this.#received.length === 0 ? bytes : Buffer.concat([this.#received, bytes])
    while (this.#received.length >= 8) {
      const headEnd = 8 + this.#received.readUInt32BE(0)
      const bodyEnd = headEnd + this.#received.readUInt32BE(4)
      if (this.#received.length < bodyEnd) return
      const head = JSON.parse(this.#received.toString('utf8', 8, headEnd))
      this.#take(head, this.#received.subarray(headEnd, bodyEnd))
      this.#received = this.#received.subarray(bodyEnd)
    }
  }

  #take(head: Head, body: Buffer): void {
    if (head.event !== undefined) this.#onEvent(head, body)
    else this.#settle(head, body)
  }

  #settle(head: Head, body: Buffer): void {
    const id = head.id as number
    const waiting = this.#waiting.get(id)
    this.#waiting.delete(id)
    const error = head.error as { code: string; message: string } | undefined
    if (error) waiting?.reject(new Refusal(error.code, error.message))
    else waiting?.resolve({ head, body })
  }

  #abandon(): void {
    this.#isClosed = true
    for (const { reject } of this.#waiting.values()) reject(this.#gone())
    this.#waiting.clear()
  }

  #gone(): Refusal {
    return new Refusal('unavailable', `the sandbox ended: ${this.#lastWords}`)
  }
}

function first<T>({ head }: Reply): T {
  return head as T
}

function frame(head: Head, body: Uint8Array): Buffer {
  const text = Buffer.from(JSON.stringify(head))
  const lengths = Buffer.alloc(8)
  lengths.writeUInt32BE(text.length, 0)
  lengths.writeUInt32BE(body.length, 4)
  return Buffer.concat([lengths, text, body])
}
