import { CodeActError, type MimeBundle, newId, type Rollback, type Tool, type Variable } from '@codeact/spec'
import type { Backend, Channel, ChannelEnd, ForkRequest } from './backend.ts'
import type { Frame } from './frames/frame.ts'
import { LateOutput, type OutputStream } from './late-output.ts'
import { Question } from './question.ts'
import {
  type Ready,
  readAwake,
  readBundle,
  readCall,
  readClock,
  readCopied,
  readDone,
  readReady,
  readVariables,
} from './replies.ts'
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

interface RunningCell {
  readonly id: string
  readonly listener: CellListener
  readonly end: (end: CellEnd) => void
}

/** `reason`: why no copy was taken. */
export interface Kept {
  readonly reason?: string
}

const GONE: Kept = { reason: 'what ran the code has ended' }

const START_TIMEOUT_MS = 30_000

/** Calls that may be under way at once; what calls more has gone wrong, or wants the host's memory. */
const MOST_CALLS = 1000
/** Calls beyond those that are refused in a cell; who goes on after that does not listen. */
const MOST_REFUSALS = 5000

const TOO_MANY_CALLS: WireOutcome = {
  ok: false,
  error: { name: 'RuntimeError', message: `more than ${MOST_CALLS} tool calls at once` },
}

const NOTHING: Rollback = { restored: [], lost: [] }

const NO_CELL: WireOutcome = {
  ok: false,
  error: { name: 'RuntimeError', message: 'a tool can be called only while a cell runs' },
}

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
  #calls = new Set<string>()
  #refusals = 0
  #onReady: (info: Ready) => void = () => {}
  readonly #variables: Question<readonly Variable[]>
  readonly #kept: Question<Kept>
  /** Open while the kernel is to give way to a copy that was asked for. */
  readonly #restored: Question<Rollback>
  #cell: RunningCell | undefined
  #violation: ChannelEnd | undefined
  /** How the kernel ended whose copy is about to tell what it remembers. */
  #predecessor: ChannelEnd | undefined
  /** Of a kernel that died while no cell ran: the next one is told. */
  #untold: CellEnd | undefined
  #end: ChannelEnd | undefined
  #cells = 0

  /** Starts a kernel and waits until it is ready. Rejects with `KERNEL_START_FAILED` and the kernel's last words. */
  static async start(backend: Backend, language: string, tools: readonly Tool[], outputLimit: number) {
    let client: KernelClient | undefined
    const early: Frame[] = []
    const receive = (frame: Frame): void => (client === undefined ? void early.push(frame) : client.#receive(frame))
    const channel = await backend.connect(language, receive)
    client = new KernelClient(channel, outputLimit)
    for (const frame of early) client.#receive(frame)
    channel.send({ type: 'start', body: { tools: tools.map(toolDeclaration) } })
    client.isKept = (await client.#started(language)).isKept
    return client
  }

  private constructor(channel: Channel, outputLimit: number) {
    this.#channel = channel
    this.#late = new LateOutput(outputLimit)
    this.#ready = new Promise((resolve) => {
      this.#onReady = resolve
    })
    channel.onSuccession?.((end) => this.#succeeded(end))
    this.#variables = new Question(channel.closed)
    this.#kept = new Question(channel.closed)
    this.#restored = new Question(channel.closed)
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
    this.#refusals = 0
    this.#cells += 1
    return new Promise((resolve) => {
      this.#cell = { id, listener, end: resolve }
      this.#channel.send({ type: 'run', id, body: { code } })
    })
  }

  /** The variables of the session; asked while no cell runs. Undefined when the kernel did not live to tell. */
  inspect(): Promise<readonly Variable[] | undefined> {
    return this.#variables.ask(() => this.#channel.send({ type: 'inspect', id: newId('inspect'), body: {} }))
  }

  /** Whether it can be copied, and go back. */
  get isCopied(): boolean {
    return this.#channel.onSuccession !== undefined
  }

  /** Keeps a copy by this name; asked while no cell runs. */
  async checkpoint(name: string): Promise<Kept> {
    const ask = (): void => this.#channel.send({ type: 'checkpoint', id: name, body: { name } })
    return (await this.#kept.ask(ask)) ?? GONE
  }

  /** The copy of this name may go. */
  release(name: string): void {
    this.#channel.send({ type: 'release', id: name, body: { name } })
  }

  /** Has a twin begin; asked while no cell runs. */
  async fork(request: ForkRequest): Promise<Kept> {
    const ask = (): void => this.#channel.send({ type: 'fork', id: request.name, body: request })
    return (await this.#kept.ask(ask)) ?? GONE
  }

  /** Goes back to the copy of this name; undefined where it is not there any more. */
  restore(name: string): Promise<Rollback | undefined> {
    return this.#restored.ask(() => this.#channel.send({ type: 'restore', id: name, body: { name } }))
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
    else if (frame.type === 'variables') this.#variables.answer(readVariables(frame.body))
    else if (frame.type === 'copied') this.#kept.answer(readCopied(frame.body))
    else if (frame.type === 'missing') this.#restored.answer(undefined)
    else if (frame.type === 'call') this.#call(cell, frame)
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

  #call(cell: RunningCell | undefined, frame: Frame): void {
    if (cell === undefined || this.#calls.size >= MOST_CALLS) {
      this.#refuse(frame.id, cell === undefined ? NO_CELL : TOO_MANY_CALLS)
      return
    }
    const call = readCall(frame.id, frame.body)
    if (this.#calls.has(call.callId)) throw new TypeError('a call id that is in use')
    const calls = this.#calls
    calls.add(call.callId)
    void cell.listener.call(call).then((outcome) => {
      calls.delete(call.callId)
      // The kernel that called may have ended, and its copy give the same id to another call.
      if (calls === this.#calls && this.#end === undefined)
        this.#channel.send({ type: 'result', id: call.callId, body: outcome })
    })
  }

  #refuse(callId: string, outcome: WireOutcome): void {
    if (++this.#refusals > MOST_REFUSALS) throw new TypeError(`more than ${MOST_REFUSALS} calls that were refused`)
    this.#channel.send({ type: 'result', id: callId, body: outcome })
  }

  #succeeded(end: ChannelEnd): void {
    this.#predecessor = this.#violation ?? end
    this.#violation = undefined
    this.#calls = new Set()
  }

  #rolledBack(rollback: Rollback): void {
    const end = this.#predecessor
    if (end === undefined) return
    this.#predecessor = undefined
    if (this.#restored.isOpen) {
      this.#untold = undefined
      this.#restored.answer(rollback)
      return
    }
    const gone: CellEnd = { type: 'gone', end, rollback }
    if (this.#cell === undefined) this.#untold = gone
    else this.#finish(gone)
    this.#variables.askAgain()
    this.#kept.askAgain()
  }

  /** Whether it has ended, and no copy goes on. */
  get isGone(): boolean {
    return this.#end !== undefined
  }

  #gone(end: ChannelEnd): void {
    this.#end = this.#violation ?? end
    // Of a kernel whose first cell this was no copy had been made: there was nothing yet to be kept.
    const isFirst = this.#cells === 1 && end.isOfKernel === true && this.#channel.onSuccession !== undefined
    this.#finish({ type: 'gone', end: this.#end, ...(isFirst ? { rollback: NOTHING } : {}) })
  }

  #finish(end: CellEnd): void {
    const cell = this.#cell
    this.#cell = undefined
    cell?.end(end)
  }
}
