import { setTimeout as sleep } from 'node:timers/promises'
import type { CellFate, Channel, ChannelEnd, Frame, FrameInput } from '@codeact/sandbox'
import { newId } from '@codeact/spec'
import type { Sandbox } from '@e2b/code-interpreter'
import { LATE_MS, NotebookCell, type StreamFailure } from './notebook-cell.ts'

/** How long a cell whose stream was cut may take to end, once it was interrupted. */
const CUT_MS = 3000
/** So long after its stream was cut under a cell the notebook may swallow the next one. */
const WEDGED_MS = 1100
/** Of a cell that has ended, what it told is on its way. */
const TOLD_MS = 30_000
/** As notebook.py has it. */
const INSPECT = '# codeact: inspect'
const ENDED_EARLY: StreamFailure = { words: 'it ended early', isRefused: false }
const ENDED = "E2B's notebook has ended its kernel"

export interface Connected {
  readonly sandbox: Sandbox
  /** The id of the context, which is that of its kernel. */
  readonly context: string
  /** To our part in it, by the bridge. */
  readonly line: Channel
  /** Its first cell, which lets our part in. */
  readonly boot: string
  readonly env: Readonly<Record<string, string>>
  /** Returns when the bridge has done what it was told before. */
  settle(): Promise<void>
}

/** A context of E2B's notebook as a kernel: cells go there by `runCode`, the rest by the bridge. */
export class NotebookChannel implements Channel {
  readonly closed: Promise<ChannelEnd>
  readonly #at: Connected
  readonly #receive: (frame: Frame) => void
  readonly #secret = newId('mark')
  #settle: (end: ChannelEnd) => void = () => {}
  #cell: NotebookCell | undefined
  /** What the next cell must wait for. */
  #ready: Promise<unknown> = Promise.resolve()

  constructor(at: Connected, receive: (frame: Frame) => void) {
    this.#at = at
    this.#receive = receive
    this.closed = new Promise((resolve) => {
      this.#settle = resolve
    })
    void at.line.closed.then((end) => this.#gone(end))
    void this.#boot()
  }

  get roundTripMs(): number | undefined {
    return this.#at.line.roundTripMs
  }

  send(frame: FrameInput): void {
    const { line, env } = this.#at
    if (frame.type === 'run') void this.#run(frame)
    else if (frame.type === 'inspect') void this.#inspect()
    else if (frame.type === 'start')
      line.send({ ...frame, body: { ...(frame.body as object), env, mark: this.#secret } })
    else line.send(frame)
  }

  signal(how: 'interrupt' | 'kill-cell', cell: string): void {
    const { line } = this.#at
    if (how === 'kill-cell') line.signal(how, cell)
    else if (this.#cell !== undefined) this.#interrupt(this.#cell)
  }

  close(): Promise<void> {
    return this.#at.line.close()
  }

  /** A frame from our part in the kernel. */
  hear(frame: Frame): void {
    const cell = this.#cell
    if (frame.type === 'begun') this.#begun(cell)
    else if (frame.type === 'done') cell?.tell(parse(frame.body))
    else if (frame.type === 'call' && cell !== undefined) void cell.call(frame)
    else this.#receive(frame.type === 'clock' && cell !== undefined ? { ...frame, id: cell.id } : frame)
  }

  async #boot(): Promise<void> {
    const { sandbox, context, boot } = this.#at
    const { error } = await sandbox
      .runCode(boot, { context: { id: context, language: 'python', cwd: '' }, timeoutMs: 0 })
      .catch((failure: Error) => ({ error: { name: failure.name, value: failure.message } }))
    if (error !== undefined) await this.#gone({ reason: 'protocol', detail: `${error.name}: ${error.value}` })
  }

  async #run({ id = '-', body }: FrameInput): Promise<void> {
    const { sandbox, context } = this.#at
    const cell = new NotebookCell({ id, secret: this.#secret, receive: this.#receive })
    this.#cell = cell
    await this.#ready
    if (this.#cell !== cell) return
    const failure = await cell.run((body as { code: string }).code, sandbox, context)
    if (this.#cell !== cell) return // It was killed, or its kernel ended.
    // Also where the cell has ended: the notebook may not have known it yet.
    if (failure === undefined ? !cell.isWhole : !failure.isRefused) this.#ready = sleep(WEDGED_MS)
    if (cell.isWhole && (await cell.isTold(TOLD_MS))) this.#end(cell, () => cell.finish())
    else await this.#cut(cell, failure)
  }

  /** The stream has ended before the cell, or before it told. What runs on is stopped: nobody would hear of it. */
  async #cut(cell: NotebookCell, { words, isRefused }: StreamFailure = ENDED_EARLY): Promise<void> {
    if (isRefused && !cell.hasBegun) {
      return this.#end(cell, () => cell.fail('NotebookUnavailable', `the cell never ran: ${words}`))
    }
    if (!(await cell.isTold(LATE_MS))) {
      if (this.#cell !== cell) return
      this.#interrupt(cell)
      if (!(await cell.isTold(CUT_MS))) return this.#at.line.signal('kill-cell', cell.id)
    }
    const how = cell.isDone ? 'ran to its end' : 'ran, and may have been stopped'
    const message = `the cell ${how}; some of its output may be lost: the stream from the notebook broke (${words})`
    this.#end(cell, () => cell.fail('OutputLost', message))
  }

  #end(cell: NotebookCell, tell: () => void): void {
    if (this.#cell !== cell) return
    this.#cell = undefined
    // The interrupt that was sent must not strike the next cell.
    if (cell.isInterrupted) this.#ready = Promise.all([this.#ready, this.#at.settle().catch(() => {})])
    tell()
  }

  #interrupt(cell: NotebookCell): void {
    cell.isInterrupted = true
    this.#at.line.signal('interrupt', this.#at.context)
  }

  #begun(cell: NotebookCell | undefined): void {
    if (cell === undefined) return
    cell.hasBegun = true
    if (cell.isInterrupted) this.#interrupt(cell)
  }

  /** The kernel tells by the bridge, in a cell of ours that the user does not see. */
  async #inspect(): Promise<void> {
    const { sandbox, context } = this.#at
    await this.#ready
    await sandbox
      .runCode(INSPECT, { context: { id: context, language: 'python', cwd: '' } })
      .catch(() => this.#at.line.signal('kill-cell', '-'))
  }

  async #gone({ reason, detail, ...more }: ChannelEnd): Promise<void> {
    const cell = this.#cell
    if (cell !== undefined) await sleep(LATE_MS) // Its last words are on their way.
    this.#cell = undefined
    const how = reason === 'exit' ? { reason, detail: ENDED } : { reason, detail }
    this.#settle({ ...more, ...how, ...(cell === undefined ? {} : { lastCell: fateOf(cell, reason) }) })
  }
}

/** What the kernel has said before its end has come; of a bridge that is gone nobody knows. */
function fateOf(cell: NotebookCell, reason: ChannelEnd['reason']): CellFate {
  if (cell.hasBegun) return 'ran'
  return reason === 'exit' ? 'never-ran' : 'unknown'
}

function parse(body: Uint8Array): object {
  const value: unknown = JSON.parse(Buffer.from(body).toString('utf8'))
  return typeof value === 'object' && value !== null ? value : {}
}
