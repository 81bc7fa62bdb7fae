import type { ChildProcess } from 'node:child_process'
import type { Writable } from 'node:stream'
import {
  type Channel,
  type ChannelEnd,
  FileRequests,
  type Frame,
  type FrameInput,
  FramePort,
  keepAlive,
  limitEnd,
} from '@codeact/sandbox'
import { Alarm } from './alarm.ts'
import { INTERRUPTS } from './child-process.ts'
import { processEnd } from './process-end.ts'

const LAST_WORDS = 2000
/** Longer than any machine takes to load Python, or to make its snapshot. */
const START_MS = 60_000
/** Bytes of a cell's name as the child reads it; see `child/shared-layout.mjs`. */
const NAME_BYTES = 64

/** A running Python: the wire to its kernel, and to its files. */
export class PythonProcess implements Channel {
  /** The version of Python, once it answers; how it ended, if it never does. */
  readonly started: Promise<{ readonly version: string } | ChannelEnd>
  readonly closed: Promise<ChannelEnd>
  readonly files: FileRequests
  readonly #child: ChildProcess
  readonly #port: FramePort
  readonly #alarm: Alarm
  readonly #memoryBytes: number | undefined
  #receive: (frame: Frame) => void = () => {}
  #onUp: (up: { version: string }) => void = () => {}
  #end: ChannelEnd | undefined
  #lastWords = ''
  #interrupts = 0
  #isGone = false
  readonly #patience = setTimeout(
    () => this.#endWith({ reason: 'closed', detail: `no answer in ${START_MS} ms` }),
    START_MS,
  )

  /** `memoryBytes`: what Python may have of it. */
  constructor(child: ChildProcess, memoryBytes?: number) {
    this.#child = child
    this.#memoryBytes = memoryBytes
    this.#port = new FramePort(
      (bytes) => child.stdin?.write(bytes),
      (frame) => this.#sort(frame),
    )
    this.#alarm = new Alarm((id) => this.send({ type: 'alarm', id }))
    this.files = new FileRequests((frame) => this.send(frame))
    child.stdout?.on('data', (bytes: Uint8Array) => this.#feed(bytes))
    child.stderr?.on('data', (bytes: Buffer) => {
      this.#lastWords = (this.#lastWords + bytes.toString('utf8')).slice(-LAST_WORDS)
    })
    this.closed = this.#ended()
    const up = new Promise<{ version: string }>((resolve) => {
      this.#onUp = resolve
    })
    this.started = Promise.race([up, this.closed])
  }

  get isAlive(): boolean {
    return !this.#isGone && this.#end === undefined
  }

  /** From now on, the kernel's frames go there. */
  connect(receive: (frame: Frame) => void): void {
    this.#receive = receive
  }

  send(frame: FrameInput): void {
    if (!this.#isGone) this.#port.send(frame)
  }

  /**
   * An interrupt goes to a thread beside Python, by the cell's name. Where Python waits for the host it looks at nothing
   * else, so a frame wakes it up.
   */
  signal(how: 'interrupt' | 'kill-cell', cell: string): void {
    if (how === 'interrupt') this.#interrupt(cell)
    else this.#kill()
  }

  setIdle(isIdle: boolean): void {
    keepAlive(this.#child, !isIdle)
  }

  async close(): Promise<void> {
    this.#endWith({ reason: 'closed', detail: 'it was closed' })
    await this.closed
  }

  #interrupt(cell: string): void {
    const name = Buffer.alloc(NAME_BYTES)
    name.write(cell, 'latin1')
    const interrupts = this.#child.stdio[INTERRUPTS] as Writable
    interrupts.write(name)
    this.send({ type: 'interrupt', id: String(++this.#interrupts) })
  }

  #kill(): void {
    this.#child.kill('SIGKILL')
  }

  #feed(bytes: Uint8Array): void {
    try {
      this.#port.feed(bytes)
    } catch (error) {
      this.#endWith({ reason: 'protocol', detail: error instanceof Error ? error.message : String(error) })
    }
  }

  /** Frames that are for this side of the wire; the rest is the kernel's. */
  #sort(frame: Frame): void {
    if (frame.type === 'up') this.#up(JSON.parse(text(frame)))
    else if (frame.type === 'alarm') this.#alarm.set(frame.id, JSON.parse(text(frame)))
    else if (frame.type === 'file') this.files.answer(frame.id, JSON.parse(text(frame)))
    else if (frame.type === 'end') this.#endWith(readEnd(JSON.parse(text(frame)), this.#memoryBytes))
    else this.#receive(frame)
  }

  #up(up: { version: string }): void {
    clearTimeout(this.#patience)
    this.#onUp(up)
  }

  /** It ends the process too: whoever says that it is over has no business to go on. */
  #endWith(end: ChannelEnd): void {
    this.#end ??= end
    this.#kill()
  }

  #ended(): Promise<ChannelEnd> {
    return new Promise((resolve) => {
      const settle = (end: ChannelEnd): void => {
        this.#isGone = true
        clearTimeout(this.#patience)
        this.#alarm.clear()
        this.files.abandon(end)
        resolve(end)
      }
      this.#child.once('error', (error) => settle({ reason: 'exit', detail: error.message }))
      this.#child.once('close', (code, signal) => settle(this.#end ?? processEnd(code, signal, this.#lastWords.trim())))
    })
  }
}

function text(frame: Frame): string {
  return Buffer.from(frame.body).toString('utf8')
}

/** What the process said of its end. It comes from inside, so it is only read. */
function readEnd(
  { reason, detail }: Partial<Record<keyof ChannelEnd, unknown>>,
  memoryBytes: number | undefined,
): ChannelEnd {
  if (reason === 'memory') return limitEnd('memory', memoryBytes)
  return { reason: reason === 'exit' ? 'exit' : 'signal', detail: String(detail).slice(0, LAST_WORDS) }
}
