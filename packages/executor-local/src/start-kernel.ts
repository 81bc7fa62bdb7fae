import { type ChildProcess, type StdioPipe, spawn } from 'node:child_process'
import type { Duplex, Readable } from 'node:stream'
import {
  type Channel,
  type ChannelEnd,
  type Frame,
  type FrameInput,
  FramePort,
  keepAlive,
  Shared,
} from '@codeact/sandbox'
import type { Command } from './isolation.ts'
import { type Death, KeeperLine } from './keeper-line.ts'
import { killTree } from './kill-tree.ts'
import { processEnd } from './process-end.ts'

/** How long the pipes of a process that has ended are read on: a grandchild that inherited them could hold them for ever. */
const LAST_OUTPUT_MS = 100
const LAST_WORDS = 2000

/** The number of the first descriptor that is not for speaking. */
export const FIRST_DOOR = 6

/** A read of this size says that more is waiting: Node would take it all at once, and the host would do nothing else. */
const FLOOD_BYTES = 32 * 1024

/** A process that lives on behind a closed channel can be neither asked nor heard. */
const CUT_OFF: ChannelEnd = { reason: 'protocol', detail: 'the code closed the channel to the host' }

const CLOSED: ChannelEnd = { reason: 'closed', detail: 'it was closed' }

/** A shell's exit code for a death by a signal. */
const SIGNALLED = 128

type Receive = (frame: Frame) => void

/**
 * Before these the kernel waits until its output was read, so that they cannot overtake it. Only Linux tells a kernel that;
 * elsewhere it is the host that waits, until it has read what was there.
 */
const AFTER_OUTPUT = ['done', 'call']

/** Starts the kernel process and gives the wire to it. `kernelWaits` as the system is: whether the kernel sees to the order. */
export function startKernel(
  command: Command,
  receive: Receive,
  kernelWaits = process.platform === 'linux',
): KernelProcess {
  return new KernelProcess(command, receive, kernelWaits ? (work) => work() : onceOutputIsRead)
}

/** A kernel's process: its 1 and 2 are the code's output, 3 carries the frames, 4 the interrupts, and 5 is its keeper's. */
export class KernelProcess implements Channel {
  readonly closed: Promise<ChannelEnd>
  /** The process, by the kernel and its twins. */
  readonly hold = new Shared(() => this.#endAll())
  readonly #exited: Promise<ChannelEnd>
  readonly #command: Command
  readonly #child: ChildProcess
  readonly #inTurn: (work: () => void) => void
  readonly #frames: Duplex
  readonly #interrupts: Duplex
  readonly #port: FramePort
  readonly #keeper: KeeperLine | undefined
  #settle: (end: ChannelEnd) => void = () => {}
  #isReleased = false
  #onSuccession: (end: ChannelEnd) => void = () => {}
  #end: ChannelEnd | undefined
  /** Whether the kernel was heard, so that whatever is around it is complete. */
  #isThere = false
  /** What the kernel was killed for. */
  #fault: ChannelEnd | undefined
  /** Whether the kernel has ended, and had no copy. */
  #hasDied = false
  /** Whether the kernel has ended, and its copy was not heard yet. */
  #isBetween = false
  #lastWords = ''

  constructor(command: Command, receive: Receive, inTurn: (work: () => void) => void) {
    this.#command = command
    this.#inTurn = inTurn
    this.#child = started(command)
    const [, stdout, stderr, frames, interrupts, control] = this.#child.stdio as unknown as [
      null,
      Readable,
      Readable,
      Duplex,
      Duplex,
      Duplex | null,
    ]
    this.#frames = frames
    this.#interrupts = interrupts
    this.#keeper = control ? new KeeperLine(control, (death) => this.#died(death)) : undefined
    this.#port = new FramePort(
      (bytes) => frames.write(bytes),
      (frame) => (AFTER_OUTPUT.includes(frame.type) ? inTurn(() => receive(frame)) : receive(frame)),
    )
    frames.on('data', (bytes: Uint8Array) => {
      this.#feed(bytes)
      if (bytes.length >= FLOOD_BYTES) restUntilNextTurn(frames)
    })
    frames.on('end', () => setTimeout(() => this.#kill(CUT_OFF), LAST_OUTPUT_MS).unref())
    stdout.on('data', (bytes: Uint8Array) => receive(output('stdout', bytes)))
    stderr.on('data', (bytes: Uint8Array) => {
      this.#lastWords = (this.#lastWords + Buffer.from(bytes).toString('utf8')).slice(-LAST_WORDS)
      receive(output('stderr', bytes))
    })
    // Writing to a process that has just ended fails; that it has ended is told by `closed`.
    for (const stream of [frames, interrupts]) stream.on('error', () => {})
    this.closed = new Promise<ChannelEnd>((resolve) => {
      this.#settle = resolve
    }).finally(() => {
      for (const stream of [stdout, stderr, frames, interrupts]) stream.destroy()
    })
    this.#exited = this.#ended().finally(() => control?.destroy())
    void this.#exited.then((end) => this.#settle(end))
  }

  get pid(): number | undefined {
    return this.#child.pid
  }

  /** Gives it what it is to be. Until then it waits, and nothing runs in it. */
  begin(): void {
    this.#frames.write(this.#command.input)
  }

  /** Ends what the kernel runs, as it has broken a limit. False where it has ended already, and its copy is about to go on. */
  breach(end: ChannelEnd): boolean {
    if (this.#isBetween) return false
    this.#fail(end)
    return true
  }

  send(frame: FrameInput): void {
    if (!this.#isBetween) this.#port.send(frame)
  }

  get onSuccession(): Channel['onSuccession'] {
    if (this.#keeper === undefined) return undefined
    return (listen) => {
      this.#onSuccession = listen
    }
  }

  signal(how: 'interrupt' | 'kill-cell', cell: string): void {
    if (how === 'interrupt') this.#interrupts.write(`${cell}\n`)
    else if (this.#keeper !== undefined) this.#keeper.kill()
    else this.#killAll()
  }

  setIdle(isIdle: boolean): void {
    keepAlive(this.#child, !isIdle)
  }

  async close(): Promise<void> {
    if (this.hold.isShared) this.#keeper?.end()
    if (!this.#isReleased) {
      this.#isReleased = true
      this.#end ??= CLOSED
      await this.hold.release()
    }
    await this.closed
  }

  async #endAll(): Promise<void> {
    this.#kill(CLOSED)
    await this.#exited
  }

  #kill(end: ChannelEnd): void {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    this.#end ??= end
    this.#killAll()
  }

  #killAll(): void {
    killTree(this.#child.pid, this.#isThere && this.#command.endsAll)
  }

  #feed(bytes: Uint8Array): void {
    this.#isThere = true
    if (this.#end !== undefined) return
    try {
      this.#port.feed(bytes)
    } catch (error) {
      this.#fail({ reason: 'protocol', detail: error instanceof Error ? error.message : String(error) })
    }
  }

  #fail(fault: ChannelEnd): void {
    if (this.#keeper === undefined) {
      this.#kill(fault)
      return
    }
    this.#fault ??= fault
    this.#keeper.kill()
  }

  #died({ code, signal, cut, copy, stays }: Death): void {
    const fault = this.#fault ?? (cut ? CUT_OFF : undefined)
    this.#fault = undefined
    const end =
      fault ?? this.#explained(processEnd(signal === null ? code : SIGNALLED + signal, null, this.#lastWords.trim()))
    if (copy) {
      this.#isBetween = true
      this.#flushed(() => this.#succeed(end))
      return
    }
    // Of a keeper that does not stay the rest is told by its own end, which follows.
    this.#end ??= fault
    this.#hasDied = true
    if (stays) this.#inTurn(() => this.#settle({ ...(this.#end ?? end), isOfKernel: true }))
  }

  #succeed(end: ChannelEnd): void {
    if (this.#keeper === undefined) return
    this.#port.succeed(this.#keeper.wake(), () => {
      this.#isBetween = false
      this.#onSuccession(end)
    })
  }

  /** Half a frame would be the copy's first. */
  #flushed(then: () => void): void {
    if (this.#frames.writableLength === 0) then()
    else this.#frames.write('', () => then())
  }

  #endOf(code: number | null, signal: NodeJS.Signals | null): ChannelEnd {
    const lastWords = this.#lastWords.trim()
    const end = this.#explained(processEnd(code, signal, lastWords))
    const error = this.#command.refusal?.(lastWords, end.detail)
    return error === undefined ? end : { ...end, error }
  }

  #explained(end: ChannelEnd): ChannelEnd {
    return this.#command.explain?.(end) ?? end
  }

  #ended(): Promise<ChannelEnd> {
    return new Promise((resolve) => {
      this.#child.once('error', (error) => resolve({ reason: 'exit', detail: error.message }))
      this.#child.once('exit', (code, signal) => {
        const end = (): ChannelEnd => ({ ...(this.#end ?? this.#endOf(code, signal)), isOfKernel: this.#hasDied })
        const settle = (): void => this.#inTurn(() => resolve(end()))
        const timer = setTimeout(settle, LAST_OUTPUT_MS)
        this.#child.once('close', () => {
          clearTimeout(timer)
          settle()
        })
      })
    })
  }
}

/** What a whole round of the event loop found to read is read by the end of it; the round that this is called in had begun before. */
function onceOutputIsRead(work: () => void): void {
  setImmediate(() => setImmediate(work))
}

function started({ file, args, env, cwd, isKept = false, doors = [] }: Command): ChildProcess {
  const pipes: StdioPipe[] = ['pipe', 'pipe', 'pipe', 'pipe']
  return spawn(file, args, {
    env,
    cwd,
    detached: true,
    stdio: ['ignore', ...pipes, isKept ? 'pipe' : 'ignore', ...doors],
  })
}

function restUntilNextTurn(stream: Duplex): void {
  stream.pause()
  setImmediate(() => stream.resume())
}

function output(type: 'stdout' | 'stderr', body: Uint8Array): Frame {
  return { type, seq: 0, ack: 0, id: '-', body }
}
