import type { ChannelEnd } from '../backend.ts'
import type { FramePort } from '../frames/port.ts'
import type { Place } from './supervised-backend.ts'

const ENDED: ChannelEnd = { reason: 'closed', detail: 'the supervisor of the fork has ended' }

/** How long the supervisor of a twin may take to end all that it has. */
const CLOSE_MS = 2000

/** The place of a twin, whose stream goes through that of another supervisor. */
export class TwinPlace implements Place {
  readonly closed: Promise<ChannelEnd>
  readonly #name: string
  readonly #port: FramePort
  readonly #receive: (bytes: Uint8Array) => void
  #settle: (end: ChannelEnd) => void = () => {}

  constructor(name: string, port: FramePort, receive: (bytes: Uint8Array) => void) {
    this.#name = name
    this.#port = port
    this.#receive = receive
    this.closed = new Promise((resolve) => {
      this.#settle = resolve
    })
  }

  write(bytes: Uint8Array): void {
    this.#port.send({ type: 'twin', id: this.#name, body: bytes })
  }

  /** What its supervisor says; nothing more where that is nothing. */
  hear(bytes: Uint8Array): void {
    if (bytes.length === 0) this.gone(ENDED)
    else this.#receive(bytes)
  }

  gone(end: ChannelEnd): void {
    this.#settle(end)
  }

  /** It goes by the stream that it is carried in. */
  setIdle(): void {}

  async close(): Promise<void> {
    this.#port.send({ type: 'leave', id: this.#name })
    const timer = setTimeout(() => this.gone(ENDED), CLOSE_MS)
    await this.closed
    clearTimeout(timer)
  }
}
