import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { endOfStream } from './envelope.ts'
import type { Cut, Faults } from './faults.ts'

/** What a message is to whom cuts the response. */
export type MessageKind = 'data' | 'keepalive' | 'last'

/** The way out of a response: as late as the latency wants, and as far as a fault lets it go. */
export class Outlet {
  /** Called when a cut wants the sandbox's time to be over. */
  onExpiry: () => void = () => {}
  readonly #response: ServerResponse
  readonly #faults: Faults
  readonly #cut: Cut | undefined
  #sentBytes = 0
  #isCut = false
  #queue: Promise<void> = Promise.resolve()
  #queued = 0

  constructor(response: ServerResponse, faults: Faults, cut: Cut | undefined) {
    this.#response = response
    this.#faults = faults
    this.#cut = cut
  }

  head(status: number, headers: Record<string, string>): void {
    this.#later(() => {
      this.#response.writeHead(status, headers)
      this.#response.flushHeaders()
    })
  }

  /** Whether whoever reads it keeps up; if not, `onDrain` tells when it does again. */
  write(message: Uint8Array, kind: MessageKind = 'data'): boolean {
    if (!this.#isCut && this.#cut && this.#isDue(this.#cut.afterBytes, message, kind)) this.#strike(this.#cut, message)
    const isHeard =
      !this.#isCut || (this.#cut?.by === 'keepalives' && kind === 'keepalive') || this.#cut?.by === 'insert'
    if (isHeard) this.#send(message)
    return this.#response.writableLength < HIGH_WATER
  }

  end(): void {
    if (this.#isCut && this.#cut?.by !== 'insert') return
    this.#later(() => this.#response.end())
  }

  /** The connection ends in the middle of whatever goes on; what was sent before arrives. */
  drop(): void {
    this.#later(() => this.#response.socket?.destroySoon())
  }

  onDrain(listener: () => void): void {
    this.#response.once('drain', listener)
  }

  /** Whole, broken off or given up: called at once where it is over already. */
  onGone(listener: () => void): void {
    if (this.#response.destroyed) listener()
    else this.#response.once('close', listener)
  }

  #isDue(afterBytes: Cut['afterBytes'], message: Uint8Array, kind: MessageKind): boolean {
    return afterBytes === 'all-but-last' ? kind === 'last' : this.#sentBytes + message.length > afterBytes
  }

  #strike(cut: Cut, message: Uint8Array): void {
    this.#isCut = true
    const room = cut.afterBytes === 'all-but-last' ? 0 : cut.afterBytes - this.#sentBytes
    if (cut.by === 'reset' || cut.by === 'end') this.#send(message.subarray(0, room))
    if (cut.by === 'reset') this.drop()
    if (cut.by === 'end') this.#later(() => this.#response.end())
    if (cut.by === 'expiry') this.onExpiry()
    if (cut.by === 'insert') this.#send(Buffer.from(cut.text))
    if (cut.by === 'error') {
      this.#send(endOfStream({ code: cut.code, message: cut.message ?? 'a fault of the emulator' }))
      this.#later(() => this.#response.end())
    }
  }

  #send(bytes: Uint8Array): void {
    this.#sentBytes += bytes.length
    if (bytes.length > 0) this.#later(() => void this.#response.write(bytes))
  }

  /** In order, also when the latency changes meanwhile. */
  #later(action: () => void): void {
    const due = performance.now() + this.#faults.roundTripMs / 2
    if (this.#queued === 0 && this.#faults.roundTripMs === 0) action()
    else this.#queue = this.#after(this.#queue, due, action)
  }

  async #after(earlier: Promise<void>, due: number, action: () => void): Promise<void> {
    this.#queued += 1
    await earlier
    await sleep(Math.max(0, due - performance.now()))
    this.#queued -= 1
    action()
  }
}

const HIGH_WATER = 1024 * 1024
