import { constants } from 'node:os'
import type { Channel, ChannelEnd } from '../backend.ts'
import type { Frame, FrameInput } from '../frames/frame.ts'
import { FramePort } from '../frames/port.ts'

const CLOSED: ChannelEnd = { reason: 'closed', detail: 'it was closed' }

/** How long a kernel that was closed may take to be gone: then its supervisor is stuck, and the place is given up. */
const CLOSE_MS = 2000

/** A kernel behind a supervisor, which carries its frames inside its own. */
export class SupervisedKernel implements Channel {
  readonly closed: Promise<ChannelEnd>
  readonly id: string
  readonly #outer: FramePort
  readonly #inner: FramePort
  readonly #receive: (frame: Frame) => void
  readonly #giveUp: () => void
  #settle: (end: ChannelEnd) => void = () => {}
  #end: ChannelEnd | undefined
  #isGone = false

  constructor(id: string, outer: FramePort, receive: (frame: Frame) => void, giveUp: () => void) {
    this.id = id
    this.#giveUp = giveUp
    this.#outer = outer
    this.#receive = receive
    this.#inner = new FramePort((body) => outer.send({ type: 'kernel', id, body }), receive)
    this.closed = new Promise((resolve) => {
      this.#settle = resolve
    })
  }

  send(frame: FrameInput): void {
    if (!this.#isGone) this.#inner.send(frame)
  }

  signal(how: 'interrupt' | 'kill-cell', cell: string): void {
    if (this.#isGone) return
    if (how === 'interrupt') this.#outer.send({ type: 'interrupt', id: this.id, body: Buffer.from(cell, 'latin1') })
    else this.#outer.send({ type: 'kill', id: this.id })
  }

  async close(): Promise<void> {
    this.#endBy(CLOSED)
    const timer = setTimeout(() => {
      this.gone(CLOSED)
      this.#giveUp()
    }, CLOSE_MS)
    await this.closed
    clearTimeout(timer)
  }

  /** A frame of the supervisor's that names this kernel. */
  hear({ type, body }: Frame): void {
    if (type === 'stdout' || type === 'stderr') this.#receive({ type, seq: 0, ack: 0, id: '-', body })
    else if (type === 'exit') this.gone(exitOf(body))
    else if (type === 'kernel' && this.#end === undefined) this.#feed(body)
  }

  gone(end: ChannelEnd): void {
    this.#isGone = true
    this.#settle(this.#end ?? end)
  }

  #feed(bytes: Uint8Array): void {
    try {
      this.#inner.feed(bytes)
    } catch (error) {
      this.#endBy({ reason: 'protocol', detail: error instanceof Error ? error.message : String(error) })
    }
  }

  #endBy(end: ChannelEnd): void {
    this.#end ??= end
    this.signal('kill-cell', '-')
  }
}

const CUT_OFF: ChannelEnd = { reason: 'protocol', detail: 'the code closed the channel to the host' }
const NO_MEMORY: ChannelEnd = { reason: 'memory', detail: 'the memory limit of the sandbox was reached' }

function exitOf(body: Uint8Array): ChannelEnd {
  const { code, signal, memory, cut } = JSON.parse(Buffer.from(body).toString('utf8')) as Record<string, unknown>
  if (signal === constants.signals.SIGKILL && memory === true) return NO_MEMORY
  if (signal === constants.signals.SIGKILL && cut === true) return CUT_OFF
  if (typeof signal === 'number') return { reason: 'signal', detail: signalName(signal) }
  return { reason: 'exit', detail: `exit code ${Number(code)}` }
}

function signalName(number: number): string {
  return Object.entries(constants.signals).find(([, value]) => value === number)?.[0] ?? `signal ${number}`
}
