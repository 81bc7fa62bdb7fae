import { CodeActError, type MimeBundle, type Rollback, type Tool } from '@codeact/spec'
import type { Backend, Channel, ChannelEnd } from './backend.ts'
import type { Frame } from './frames/frame.ts'
import { KernelCalls } from './kernel-calls.ts'
import { LateOutput, type OutputStream } from './late-output.ts'
import { Questions } from './questions.ts'
import { type Awake, type Ready, readAwake, readBundle, readClock, readDone, readReady } from './replies.ts'
import { toolDeclaration } from './tool-declaration.ts'
import type { RawToolCall, WireOutcome } from './tool-dispatch.ts'

/** What a cell wants to be told of while it runs. */
export interface CellListener {
  output(stream: OutputStream, bytes: Uint8Array): void
  /** Called for each frame; `read` throws a `TypeError` for what is no bundle. */
  display(read: () => MimeBundle): void
  call(call: RawToolCall): Promise<WireOutcome>
  /** The kernel's answer to `askClock()`: whether all that the cell runs waits for the calls that were named. */
  clock(waits: boolean): void
}

/** How a cell ended, as its kernel tells it; `gone` when the kernel did not live to tell, with `rollback` where its copy goes on. */
export type CellEnd =
  | { readonly type: 'done'; readonly reply: DoneReply }
  | { readonly type: 'gone'; readonly end: ChannelEnd; readonly rollback?: Rollback }

export interface DoneReply {
  readonly ok: boolean
  readonly value?: MimeBundle
  readonly error?: { readonly name: string; readonly message: string; readonly traceback: string }
  readonly unprotected?: string
}

interface KernelLimits {
  /** Bytes that are kept of what is printed between two cells. */
  readonly output: number
  /** Milliseconds that an answer may take between two cells. */
  readonly timeoutMs: number
}

interface RunningCell {
  readonly id: string
  readonly listener: CellListener
  readonly end: (end: CellEnd) => void
}

const START_TIMEOUT_MS = 30_000

const NOTHING: Rollback = { restored: [], lost: [] }

/**
 * The host's side of one kernel. Each frame is untrusted input: one that is malformed ends the kernel, one that speaks of a
 * cell that is not running is ignored.
 */
export class KernelClient {
  /** Whether it has the variables of a session that another host began. */
  isKept = false
  readonly #channel: Channel
  readonly #ready: Promise<Ready>
  readonly #late: LateOutput
  readonly #calls: KernelCalls
  #onReady: (info: Ready) => void = () => {}
  readonly questions: Questions
  #cell: RunningCell | undefined
  #violation: ChannelEnd | undefined
  /** How the kernel ended whose copy is about to tell what it remembers. */
  #predecessor: ChannelEnd | undefined
  /** Of a kernel that died while no cell ran: the next one is told. */
  #untold: CellEnd | undefined
  #end: ChannelEnd | undefined
  #cells = 0

  /** Starts a kernel and waits until it is ready. Rejects with `KERNEL_START_FAILED` and the kernel's last words. */
  static async start(backend: Backend, language: string, tools: readonly Tool[], limits: KernelLimits) {
    let client: KernelClient | undefined
    const early: Frame[] = []
    const receive = (frame: Frame): void => (client === undefined ? void early.push(frame) : client.#receive(frame))
    const channel = await backend.connect(language, receive)
    client = new KernelClient(channel, limits)
    for (const frame of early) client.#receive(frame)
    channel.send({ type: 'start', body: { tools: tools.map(toolDeclaration) } })
    client.isKept = (await client.#started(language)).isKept
    return client
  }

  private constructor(channel: Channel, { output, timeoutMs }: KernelLimits) {
    this.#channel = channel
    this.#late = new LateOutput(output)
    this.#ready = new Promise((resolve) => {
      this.#onReady = resolve
    })
    channel.onSuccession?.((end) => this.#succeeded(end))
    this.questions = new Questions(channel, timeoutMs)
    this.#calls = new KernelCalls(channel)
    void channel.closed.then((end) => this.#gone(end))
  }

  /** Runs one cell; the caller sees to it that there is only one at a time. */
  async run(id: string, code: string, listener: CellListener): Promise<CellEnd> {
    if (this.#end !== undefined) return { type: 'gone', end: { ...this.#end, lastCell: 'never-ran' } }
    const untold = this.#untold
    if (untold !== undefined) {
      this.#untold = undefined
      return untold
    }
    this.#late.drain(listener)
    this.#calls.beginCell()
    this.#cells += 1
    return new Promise((resolve) => {
      this.#cell = { id, listener, end: resolve }
      this.#channel.send({ type: 'run', id, body: { code } })
    })
  }

  /** Whether it can be copied, and go back. */
  get isCopied(): boolean {
    return this.#channel.onSuccession !== undefined
  }

  /** Asks whether the running cell does nothing but wait for these calls. A kernel that is busy does not answer. */
  askClock(calls: readonly string[]): void {
    if (this.#cell !== undefined) this.#channel.send({ type: 'clock', id: this.#cell.id, body: { calls } })
  }

  interrupt(): void {
    if (this.#cell !== undefined) this.#channel.signal('interrupt', this.#cell.id)
  }

  kill(): void {
    this.#channel.signal('kill-cell', this.#cell?.id ?? '-')
  }

  close(): Promise<void> {
    return this.#channel.close()
  }

  async #started(language: string): Promise<Ready> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<ChannelEnd>((resolve) => {
      timer = setTimeout(
        () => resolve({ reason: 'closed', detail: `no answer in ${START_TIMEOUT_MS} ms` }),
        START_TIMEOUT_MS,
      )
    })
    const first = await Promise.race([this.#ready, this.#channel.closed, late])
    clearTimeout(timer)
    if ('language' in first) return first
    await this.#channel.close()
    throw (
      first.error ?? new CodeActError('KERNEL_START_FAILED', `The ${language} kernel did not start: ${first.detail}`)
    )
  }

  #receive(frame: Frame): void {
    if (this.#end !== undefined || this.#violation !== undefined) return
    try {
      this.#dispatch(frame)
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error)
      this.#violation = { reason: 'protocol', detail: `a ${frame.type} frame that cannot be read: ${detail}` }
      if (this.#channel.onSuccession === undefined) void this.#channel.close()
      else this.kill()
    }
  }

  #dispatch(frame: Frame): void {
    const cell = this.#cell
    if (frame.type === 'stdout' || frame.type === 'stderr') this.#output(frame.type, frame.body)
    else if (frame.type === 'ready') this.#onReady(readReady(frame.body))
    else if (this.questions.hear(frame)) return
    else if (frame.type === 'call') this.#calls.take(frame, cell && ((call) => cell.listener.call(call)))
    else if (frame.type === 'awake') this.#rolledBack(readAwake(frame.body))
    else if (cell === undefined || frame.id !== cell.id) return
    else if (frame.type === 'display') cell.listener.display(() => readBundle(frame.body))
    else if (frame.type === 'clock') cell.listener.clock(readClock(frame.body))
    else if (frame.type === 'done') this.#finish({ type: 'done', reply: readDone(frame.body) })
  }

  #output(stream: OutputStream, bytes: Uint8Array): void {
    if (this.#cell === undefined) this.#late.keep(stream, bytes)
    else this.#cell.listener.output(stream, bytes)
  }

  #succeeded(end: ChannelEnd): void {
    this.#predecessor = this.#violation ?? end
    this.#violation = undefined
    this.#calls.forget()
  }

  #rolledBack(awake: Awake): void {
    const end = this.#predecessor
    if (end === undefined) return
    this.#predecessor = undefined
    if (this.questions.succeeded(awake) === 'as-asked') {
      this.#untold = undefined
      return
    }
    const gone: CellEnd = { type: 'gone', end, rollback: awake.rollback }
    if (this.#cell === undefined) this.#untold = gone
    else this.#finish(gone)
  }

  /** As `Channel` has it. */
  get roundTripMs(): number {
    return this.#channel.roundTripMs ?? 0
  }

  /** Whether one has ended, with a copy that goes on or without, and no cell was told. */
  get hasEndUntold(): boolean {
    return this.isGone || this.#predecessor !== undefined || this.#untold !== undefined
  }

  /** Whether it has ended, and no copy goes on. */
  get isGone(): boolean {
    return this.#end !== undefined
  }

  #gone(end: ChannelEnd): void {
    this.#calls.forget()
    this.#end = this.#violation ?? end
    // Of a kernel whose first cell this was no copy had been made: there was nothing yet to be kept.
    const isFirst =
      this.#cells === 1 && !this.isKept && end.isOfKernel === true && this.#channel.onSuccession !== undefined
    this.#finish({ type: 'gone', end: this.#end, ...(isFirst ? { rollback: NOTHING } : {}) })
  }

  #finish(end: CellEnd): void {
    const cell = this.#cell
    this.#cell = undefined
    cell?.end(end)
  }
}
