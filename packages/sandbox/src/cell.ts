import { setMaxListeners } from 'node:events'
import {
  type CodeActEvent,
  type EventBody,
  type Execution,
  type ExecutionError,
  eventStamp,
  type MimeBundle,
  type Tool,
  type ValueBundle,
} from '@codeact/spec'
import type { CellFate, ChannelEnd } from './backend.ts'
import { CellClock } from './cell-clock.ts'
import { Deadline } from './deadline.ts'
import { DisplayBuffer } from './display-buffer.ts'
import type { CellEnd, CellListener, KernelClient } from './kernel-client.ts'
import type { OutputStream } from './late-output.ts'
import { OutputBuffer } from './output-buffer.ts'
import { Stopper } from './stopper.ts'
import { dispatchTool, type RawToolCall, type ToolScope, type WireOutcome } from './tool-dispatch.ts'

export interface CellOptions {
  readonly id: string
  readonly language: string
  readonly code: string
  readonly timeoutMs: number
  /** Bytes kept of each output stream. */
  readonly output: number
  readonly tools: ReadonlyMap<string, Tool>
  readonly context: unknown
  readonly onToolCall?: ToolScope['onToolCall']
  readonly emit: (event: CodeActEvent) => void
  /** Any of them stops the cell. */
  readonly signals: readonly AbortSignal[]
}

type StopCause = 'timeout' | 'aborted'

/** A cell that was stopped before its turn came: it changed nothing. */
const NEVER_RAN: CellEnd = { type: 'done', reply: { ok: false } }

const FATES: Readonly<Record<CellFate, string>> = {
  ran: 'the cell ran, and some of its output may be lost',
  'never-ran': 'the cell never ran',
  unknown: 'whether the cell ran is not known',
}

/** What a kernel may be killed for. */
const LIMITS: readonly ChannelEnd['reason'][] = ['memory', 'processes', 'disk']

const LONGEST_SOURCE = 10_000_000

const SOURCE_TOO_LONG: CellEnd = {
  type: 'done',
  reply: {
    ok: false,
    error: named('SourceTooLong', `the code has more than ${LONGEST_SOURCE} characters, and was not run`, ''),
  },
}

/** One cell's life on the host: its events, its output, its tool calls, its deadline, and what it comes to. */
export class Cell implements CellListener {
  readonly #options: CellOptions
  readonly #stamp: (body: EventBody) => CodeActEvent
  readonly #deadline: Deadline
  readonly #stdout: OutputBuffer
  readonly #stderr: OutputBuffer
  readonly #displays = new DisplayBuffer()
  #tools: AbortController | undefined
  readonly #stopper = new Stopper()
  readonly #clock: CellClock
  #kernel: KernelClient | undefined
  #stopCause: StopCause | undefined
  #isOver = false

  constructor(options: CellOptions) {
    this.#options = options
    this.#stamp = eventStamp(options.id)
    this.#deadline = new Deadline(options.timeoutMs, () => this.#stop('timeout'))
    this.#clock = new CellClock(this.#deadline, (calls) => this.#kernel?.askClock(calls))
    this.#stdout = new OutputBuffer(options.output)
    this.#stderr = new OutputBuffer(options.output)
  }

  async run(kernel: KernelClient): Promise<Execution> {
    const { id, language, code, signals } = this.#options
    this.#emit({ type: 'execution-start', id, language, code })
    if (signals.some(({ aborted }) => aborted)) {
      this.#stopCause = 'aborted'
      return this.#finish(NEVER_RAN)
    }
    if (code.length > LONGEST_SOURCE) return this.#finish(SOURCE_TOO_LONG)
    const onAbort = (): void => this.#stop('aborted')
    this.#kernel = kernel
    const killed = this.#stopper.watch(kernel)
    for (const signal of signals) signal.addEventListener('abort', onAbort)
    this.#deadline.start()
    const end = await Promise.race([kernel.run(id, code, this), killed])
    for (const signal of signals) signal.removeEventListener('abort', onAbort)
    this.#stopper.cancel()
    return this.#finish(end)
  }

  output(stream: OutputStream, bytes: Uint8Array): void {
    const text = (stream === 'stdout' ? this.#stdout : this.#stderr).write(bytes)
    if (text !== '') this.#emit({ type: `${stream}-delta`, id: this.#options.id, text })
  }

  display(read: () => MimeBundle): void {
    const shown = this.#displays.write(read)
    if (shown !== undefined) this.#emit({ type: 'display', id: this.#options.id, bundle: shown })
  }

  async call(raw: RawToolCall): Promise<WireOutcome> {
    const { id: executionId, tools, context, onToolCall } = this.#options
    if (tools.get(raw.name)?.pausesClock === true) this.#clock.begin(raw.callId)
    const emit = (body: EventBody): void => this.#emit(body)
    const outcome = await dispatchTool(tools, raw, {
      executionId,
      signal: this.#toolSignal(),
      context,
      emit,
      onToolCall,
    })
    this.#clock.end(raw.callId)
    return outcome
  }

  clock(waits: boolean): void {
    this.#clock.answer(waits)
  }

  /** Made with the first call: most cells make none. */
  #toolSignal(): AbortSignal {
    if (this.#tools === undefined) {
      this.#tools = new AbortController()
      // Each call under way may listen; Node would take more than ten for a leak.
      setMaxListeners(0, this.#tools.signal)
    }
    return this.#tools.signal
  }

  #stop(cause: StopCause): void {
    if (this.#stopCause !== undefined || this.#isOver) return
    this.#stopCause = cause
    this.#tools?.abort()
    this.#stopper.stop()
  }

  #finish(end: CellEnd): Execution {
    this.#clock.stop()
    this.#deadline.pause()
    this.#tools?.abort()
    this.#flush('stdout', this.#stdout)
    this.#flush('stderr', this.#stderr)
    const execution = this.#execution(end)
    this.#emit({ type: 'execution-end', id: this.#options.id, execution })
    this.#isOver = true
    return execution
  }

  #flush(stream: OutputStream, buffer: OutputBuffer): void {
    const text = buffer.end()
    if (text !== '') this.#emit({ type: `${stream}-delta`, id: this.#options.id, text })
  }

  #execution(end: CellEnd): Execution {
    const reply = end.type === 'done' ? end.reply : undefined
    const error = this.#error(end)
    const [stdout, stderr] = [this.#stdout.dropped, this.#stderr.dropped]
    return {
      status: this.#stopCause ?? (reply === undefined ? 'crashed' : reply.ok ? 'ok' : 'error'),
      ...(end.type === 'gone' && this.#stopCause === undefined ? reasonOf(end.end) : {}),
      stdout: this.#stdout.text,
      stderr: this.#stderr.text,
      ...(reply?.value === undefined ? {} : { value: withPlainText(reply.value) }),
      displays: this.#displays.bundles,
      ...(error === undefined ? {} : { error }),
      ...stateOf(end),
      ...(reply?.unprotected === undefined ? {} : { unprotected: reply.unprotected }),
      durationMs: Math.round(this.#deadline.elapsedMs),
      ...(stdout + stderr === 0 ? {} : { truncated: { ...(stdout && { stdout }), ...(stderr && { stderr }) } }),
    }
  }

  #error(end: CellEnd): ExecutionError | undefined {
    const where = end.type === 'done' ? placeOf(end.reply.error) : ''
    if (this.#stopCause === 'timeout') {
      return named('TimeoutError', `the time limit of ${this.#options.timeoutMs / 1000} s was exceeded`, where)
    }
    if (this.#stopCause === 'aborted') return named('Aborted', 'the cell was stopped', where)
    if (end.type === 'gone') {
      const { reason, detail, lastCell } = end.end
      const fate = lastCell === undefined ? '' : `; ${FATES[lastCell]}`
      const how = LIMITS.includes(reason) ? 'killed' : 'the process that ran the code ended'
      return named('Crashed', `${how}: ${detail}${fate}`, '')
    }
    return end.reply.error
  }

  #emit(body: EventBody): void {
    if (!this.#isOver) this.#options.emit(this.#stamp(body))
  }
}

function stateOf(end: CellEnd): Pick<Execution, 'state' | 'rollback'> {
  if (end.type === 'done') return { state: 'kept' }
  return end.rollback === undefined ? { state: 'lost' } : { state: 'rolled-back', rollback: end.rollback }
}

function reasonOf({ reason }: ChannelEnd): Pick<Execution, 'reason'> {
  return reason === 'closed' ? {} : { reason }
}

/** The traceback without the name and the message that it ends with, over however many lines they go. */
function placeOf(error: ExecutionError | undefined): string {
  if (error === undefined || error.traceback === '') return ''
  const { name, message, traceback } = error
  const end = message === '' ? name : `${name}: ${message}`
  if (traceback.endsWith(end)) return traceback.slice(0, traceback.length - end.length)
  return `${traceback}\n`
}

function named(name: string, message: string, where: string): ExecutionError {
  return { name, message, traceback: `${where}${name}: ${message}` }
}

function withPlainText(bundle: MimeBundle): ValueBundle {
  return { 'text/plain': '', ...bundle }
}
