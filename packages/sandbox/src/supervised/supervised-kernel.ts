import { constants } from 'node:os'
import type { CellFate, Channel, ChannelEnd, Delivery } from '../backend.ts'
import type { Frame, FrameInput } from '../frames/frame.ts'
import { FramePort } from '../frames/port.ts'

const CLOSED: ChannelEnd = { reason: 'closed', detail: 'it was closed' }

/** How long a kernel that was closed may take to be gone: then its supervisor is stuck, and the place is given up. */
const CLOSE_MS = 2000

/** The stream that a kernel shares with its supervisor. */
export interface Wire {
  readonly port: FramePort
  /** How many bytes were written to it, all told. */
  written(): number
  /** The supervisor does not answer any more. */
  giveUp(): void
}

/** A kernel behind a supervisor, which carries its frames inside its own. */
export class SupervisedKernel implements Channel {
  readonly closed: Promise<ChannelEnd>
  readonly id: string
  readonly #wire: Wire
  readonly #inner: FramePort
  readonly #receive: (frame: Frame) => void
  #settle: (end: ChannelEnd) => void = () => {}
  #end: ChannelEnd | undefined
  #isGone = false
  /** Where in the stream it is. */
  #lastCell = { from: 0, to: 0 }

  constructor(id: string, wire: Wire, receive: (frame: Frame) => void) {
    this.id = id
    this.#wire = wire
    this.#receive = receive
    this.#inner = new FramePort((body) => wire.port.send({ type: 'kernel', id, body }), receive)
    this.closed = new Promise((resolve) => {
      this.#settle = resolve
    })
  }

  send(frame: FrameInput): void {
    if (this.#isGone) return
    const from = this.#wire.written()
    this.#inner.send(frame)
    if (frame.type === 'run') this.#lastCell = { from, to: this.#wire.written() }
  }

  signal(how: 'interrupt' | 'kill-cell', cell: string): void {
    if (this.#isGone) return
    const { port } = this.#wire
    if (how === 'interrupt') port.send({ type: 'interrupt', id: this.id, body: Buffer.from(cell, 'latin1') })
    else port.send({ type: 'kill', id: this.id })
  }

  async close(): Promise<void> {
    this.#endBy(CLOSED)
    const timer = setTimeout(() => {
      this.gone(CLOSED)
      this.#wire.giveUp()
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
    const { delivery, ...rest } = this.#end ?? end
    this.#settle(delivery === undefined ? rest : { ...rest, lastCell: this.#fate(delivery) })
  }

  #fate({ arrived, left }: Delivery): CellFate {
    const { from, to } = this.#lastCell
    if (arrived >= to) return 'ran'
    return left <= from ? 'never-ran' : 'unknown'
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
