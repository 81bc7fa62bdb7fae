import type { Delivery } from '@codeact/sandbox'

/** Bytes on their way to the far end. */
export interface Message {
  readonly seq: number
  readonly payload: Uint8Array
  /** Where in the stream it ends. */
  readonly end: number
  /** What stands for it in a line: the data itself, or the name of the file that it was put into. */
  readonly kind: 'd' | 'f'
  readonly data: string
}

/** Longer ones go through a file. */
const LONG_BYTES = 256 * 1024
const MOST_BYTES = 8 * 1024 * 1024

/** What was written, until it has arrived for certain. */
export class Outbox {
  #waiting: Uint8Array[] = []
  #sent: Message[] = []
  #seq = 0
  #end = 0
  #arrived = 0
  #left = 0

  get delivery(): Delivery {
    return { arrived: this.#arrived, left: this.#left }
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0 && this.#sent.length === 0
  }

  /** Messages that were taken, and not acknowledged. */
  get unacknowledged(): readonly Message[] {
    return this.#sent
  }

  add(bytes: Uint8Array): void {
    if (bytes.length > 0) this.#waiting.push(bytes)
  }

  /** All that waits, as far as it goes into one message. `file` names it where it is long. */
  take(file: (seq: number) => string): Message | undefined {
    if (this.#waiting.length === 0) return undefined
    const all = Buffer.concat(this.#waiting)
    const payload = all.subarray(0, MOST_BYTES)
    this.#waiting = payload.length < all.length ? [all.subarray(MOST_BYTES)] : []
    const seq = ++this.#seq
    this.#end += payload.length
    const how: Pick<Message, 'kind' | 'data'> =
      payload.length > LONG_BYTES ? { kind: 'f', data: file(seq) } : { kind: 'd', data: payload.toString('base64') }
    const message = { seq, payload, end: this.#end, ...how }
    this.#sent.push(message)
    return message
  }

  /** It is about to leave: from now on nobody can say that it did not arrive. */
  leaves({ end }: Message): void {
    this.#left = Math.max(this.#left, end)
  }

  acknowledge(seq: number): void {
    const last = this.#sent.findLastIndex((message) => message.seq <= seq)
    this.#arrived = this.#sent[last]?.end ?? this.#arrived
    this.#sent.splice(0, last + 1)
  }
}
