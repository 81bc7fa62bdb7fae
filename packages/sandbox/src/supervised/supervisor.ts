import { newId } from '@codeact/spec'
import type { Channel, ChannelEnd } from '../backend.ts'
import { type FileReply, FileRequests } from '../files/file-requests.ts'
import type { Frame } from '../frames/frame.ts'
import { FramePort } from '../frames/port.ts'
import { SupervisedKernel } from './supervised-kernel.ts'
import { TwinPlace } from './twin-place.ts'

/** What a supervisor says when it is up. */
export interface SupervisorUp {
  /** Of the interpreter: `3.13.1`. */
  readonly version: string
  /** Whether it can forbid the code to look into other processes. */
  readonly confined: boolean
  /** The kernel that runs in it already, where another host has started one. */
  readonly kernel?: string
  /** Why a twin has no place of its own. */
  readonly failure?: string
  /** Whether checkpoints are taken of that one. */
  readonly copied?: boolean
  /** Bytes, of the whole machine. */
  readonly memory?: number
}

/** What a supervisor's kernels need of where it is. */
export interface SupervisorContext {
  /** A kernel could not be ended: the supervisor does not answer any more. */
  giveUp(): void
  /** As `Channel` has it. */
  roundTripMs(): number
  /** As `SupervisedOptions` has them. */
  readonly memory?: number
  readonly explain?: (end: ChannelEnd) => ChannelEnd
}

/**
 * The host's side of a supervisor: one stream of frames, in which those of a kernel, what its code prints, and files are carried
 * side by side. What comes is untrusted: bytes that are no frames end the stream.
 */
export class Supervisor {
  readonly files: FileRequests
  /** Settles with an end when the supervisor did not live to tell. */
  readonly up: Promise<SupervisorUp | ChannelEnd>
  readonly #port: FramePort
  readonly #context: SupervisorContext
  /** Bytes, all told. */
  #written = 0
  #onUp: (up: SupervisorUp | ChannelEnd) => void = () => {}
  #kernel: SupervisedKernel | undefined
  readonly #twins = new Map<string, TwinPlace>()
  /** How a kernel of another host's ended, and what its copy said, before anybody listened. */
  #early: Frame[] = []
  #end: ChannelEnd | undefined

  constructor(write: (bytes: Uint8Array) => void, context: SupervisorContext) {
    this.#context = context
    const count = (bytes: Uint8Array): void => {
      this.#written += bytes.length
      write(bytes)
    }
    this.#port = new FramePort(count, (frame) => this.#receive(frame))
    this.files = new FileRequests((frame) => this.#port.send(frame))
    this.up = new Promise((resolve) => {
      this.#onUp = resolve
    })
  }

  /** Throws `PROTOCOL_ERROR` or a `TypeError` for what no supervisor says. */
  feed(bytes: Uint8Array): void {
    this.#port.feed(bytes)
  }

  /** Asks who is there already, in a place that another host has left. */
  greet(): void {
    this.#port.send({ type: 'hello' })
  }

  /** Starts a kernel. There is one at a time: the last one has ended before. `checkpointBytes`: see `checkpointBytes()`. */
  connect(receive: (frame: Frame) => void, checkpointBytes?: number): Channel {
    const kernel = this.#attach(newId('k'), receive, checkpointBytes !== undefined)
    this.#port.send({ type: 'connect', id: kernel.id, body: { checkpoint: checkpointBytes } })
    return kernel
  }

  /** Goes on with a kernel that runs. `isCopied`: whether checkpoints are taken of it. */
  goOn(id: string, receive: (frame: Frame) => void, isCopied: boolean): Channel {
    const early = this.#early
    return this.#attach(early[0]?.id ?? id, receive, isCopied, early)
  }

  /** The place of a twin of the kernel, by the name that it will have. */
  twin(name: string, receive: (bytes: Uint8Array) => void): TwinPlace {
    const place = new TwinPlace(name, this.#port, receive)
    this.#twins.set(name, place)
    void place.closed.then(() => this.#twins.delete(name))
    if (this.#end !== undefined) place.gone(this.#end)
    return place
  }

  #attach(id: string, receive: (frame: Frame) => void, isCopied: boolean, early?: readonly Frame[]) {
    const wire = { ...this.#context, port: this.#port, written: () => this.#written }
    const kernel = new SupervisedKernel(id, wire, receive, isCopied, early)
    this.#early = []
    if (this.#end === undefined) this.#kernel = kernel
    else kernel.gone(this.#end)
    return kernel
  }

  /** The stream has ended, and with it all that was behind it. */
  gone(end: ChannelEnd): void {
    this.#end ??= end
    this.#kernel?.gone(end)
    for (const twin of this.#twins.values()) twin.gone(end)
    this.files.abandon(end)
    this.#onUp(end)
  }

  #receive(frame: Frame): void {
    if (frame.type === 'up') this.#onUp(readUp(frame.body))
    else if (frame.type === 'file') this.files.answer(frame.id, parse(frame.body) as FileReply)
    else if (frame.type === 'twin') this.#twins.get(frame.id)?.hear(frame.body)
    else if (this.#kernel !== undefined) this.#kernel.hear(frame)
    else if (frame.type === 'exit' || this.#early.length > 0) this.#early.push(frame)
  }
}

function readUp(body: Uint8Array): SupervisorUp {
  const { version, confined, kernel, copied, memory, failure } = parse(body) as Record<string, unknown>
  return {
    version: String(version),
    confined: confined === true,
    ...(typeof kernel === 'string' ? { kernel, copied: copied === true } : {}),
    ...(typeof memory === 'number' && memory > 0 ? { memory } : {}),
    ...(typeof failure === 'string' ? { failure } : {}),
  }
}

function parse(body: Uint8Array): unknown {
  const value: unknown = JSON.parse(Buffer.from(body).toString('utf8'))
  if (typeof value === 'object' && value !== null) return value
  throw new TypeError('a body that is no object')
}
