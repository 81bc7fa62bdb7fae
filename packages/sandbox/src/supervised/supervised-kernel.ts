import { constants } from 'node:os'
import type { CellFate, Channel, ChannelEnd, Delivery } from '../backend.ts'
import type { Frame, FrameInput } from '../frames/frame.ts'
import { FramePort } from '../frames/port.ts'
import { limitEnd } from '../limit-end.ts'
import type { SupervisorContext } from './supervisor.ts'

const CLOSED: ChannelEnd = { reason: 'closed', detail: 'it was closed' }

/** How long a kernel that was closed may take to be gone: then its supervisor is stuck, and the place is given up. */
const CLOSE_MS = 2000

/** The stream that a kernel shares with its supervisor. */
export interface Wire extends SupervisorContext {
  readonly port: FramePort
  /** How many bytes were written to it, all told. */
  written(): number
}

/** A kernel behind a supervisor, which carries its frames inside its own. */
export class SupervisedKernel implements Channel {
  readonly closed: Promise<ChannelEnd>
  #id: string
  readonly #wire: Wire
  #inner: FramePort
  readonly #receive: (frame: Frame) => void
  #onSuccession: (end: ChannelEnd) => void = () => {}
  #settle: (end: ChannelEnd) => void = () => {}
  /** What it was killed for. */
  #fault: ChannelEnd | undefined
  readonly #isCopied: boolean
  readonly #early: Frame[]
  #isClosed = false
  #isGone = false
  /** Where in the stream it is. */
  #lastCell = { from: 0, to: 0 }

  /** `isCopied`: whether checkpoints are taken of it. `early`: frames from before there was this object, heard before the first is sent. */
  constructor(
    id: string,
    wire: Wire,
    receive: (frame: Frame) => void,
    isCopied: boolean,
    early: readonly Frame[] = [],
  ) {
    this.#isCopied = isCopied
    this.#early = [...early]
    this.#id = id
    this.#wire = wire
    this.#receive = receive
    this.#inner = this.#port(id)
    this.closed = new Promise((resolve) => {
      this.#settle = resolve
    })
  }

  /** It changes when a copy goes on in its place. */
  get id(): string {
    return this.#id
  }

  #port(id: string): FramePort {
    return new FramePort((body) => this.#wire.port.send({ type: 'kernel', id, body }), this.#receive)
  }

  send(frame: FrameInput): void {
    for (const early of this.#early.splice(0)) this.hear(early)
    if (this.#isGone) return
    const from = this.#wire.written()
    this.#inner.send(frame)
    if (frame.type === 'run') this.#lastCell = { from, to: this.#wire.written() }
  }

  get onSuccession(): Channel['onSuccession'] {
    if (!this.#isCopied) return undefined
    return (listen) => {
      this.#onSuccession = listen
    }
  }

  get roundTripMs(): number {
    return this.#wire.roundTripMs()
  }

  signal(how: 'interrupt' | 'kill-cell', cell: string): void {
    if (this.#isGone) return
    const { port } = this.#wire
    if (how === 'interrupt') port.send({ type: 'interrupt', id: this.#id, body: Buffer.from(cell, 'latin1') })
    else port.send({ type: 'kill', id: this.#id })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#endForGood()
    const timer = setTimeout(() => {
      this.gone(CLOSED)
      this.#wire.giveUp()
    }, CLOSE_MS + this.roundTripMs)
    await this.closed
    clearTimeout(timer)
  }

  /** A frame of the supervisor's; one that names another kernel is not for this one. */
  hear({ id, type, body }: Frame): void {
    if (id !== this.#id) return
    if (type === 'stdout' || type === 'stderr') this.#receive({ type, seq: 0, ack: 0, id: '-', body })
    else if (type === 'exit') this.#exited(body)
    else if (type === 'kernel' && this.#fault === undefined && !this.#isClosed) this.#feed(body)
  }

  gone(end: ChannelEnd): void {
    this.#isGone = true
    const { delivery, ...rest } = this.#isClosed ? CLOSED : { ...end, ...this.#fault }
    this.#settle(delivery === undefined ? rest : { ...rest, lastCell: this.#fate(delivery) })
  }

  #fate({ arrived, left }: Delivery): CellFate {
    const { from, to } = this.#lastCell
    if (arrived >= to) return 'ran'
    return left <= from ? 'never-ran' : 'unknown'
  }

  #exited(body: Uint8Array): void {
    const { copy } = JSON.parse(Buffer.from(body).toString('utf8')) as Record<string, unknown>
    const known = exitOf(body, this.#wire.memory)
    const end = this.#wire.explain?.(known) ?? known
    if (typeof copy === 'string') this.#succeed(copy, end)
    else this.gone({ ...end, isOfKernel: true })
  }

  #succeed(id: string, end: ChannelEnd): void {
    const fault = this.#fault
    this.#id = id
    this.#inner = this.#port(id)
    this.#fault = undefined
    if (this.#isClosed) this.#endForGood()
    else this.#onSuccession(fault ?? end)
  }

  #endForGood(): void {
    if (!this.#isGone) this.#wire.port.send({ type: 'end', id: this.#id })
  }

  #feed(bytes: Uint8Array): void {
    try {
      this.#inner.feed(bytes)
    } catch (error) {
      this.#fault ??= { reason: 'protocol', detail: error instanceof Error ? error.message : String(error) }
      this.signal('kill-cell', '-')
    }
  }
}

const CUT_OFF: ChannelEnd = { reason: 'protocol', detail: 'the code closed the channel to the host' }

function exitOf(body: Uint8Array, memory: number | undefined): ChannelEnd {
  const {
    code,
    signal,
    memory: isShort,
    cut,
  } = JSON.parse(Buffer.from(body).toString('utf8')) as Record<string, unknown>
  if (signal === constants.signals.SIGKILL && isShort === true) return limitEnd('memory', memory)
  if (signal === constants.signals.SIGKILL && cut === true) return CUT_OFF
  if (typeof signal === 'number') return { reason: 'signal', detail: signalName(signal) }
  return { reason: 'exit', detail: `exit code ${Number(code)}` }
}

function signalName(number: number): string {
  return Object.entries(constants.signals).find(([, value]) => value === number)?.[0] ?? `signal ${number}`
}
