import type { Channel, ChannelEnd } from '../backend.ts'
import { type FileReply, FileRequests } from '../files/file-requests.ts'
import type { Frame } from '../frames/frame.ts'
import { FramePort } from '../frames/port.ts'
import { SupervisedKernel } from './supervised-kernel.ts'

/** What a supervisor says when it is up. */
export interface SupervisorUp {
  /** Of the interpreter: `3.13.1`. */
  readonly version: string
  /** Whether it can forbid the code to look into other processes. */
  readonly confined: boolean
}

/**
 * The host's side of a supervisor: one stream of frames, in which those of a kernel, what its code prints, and files are carried
 * side by side. What comes is untrusted: bytes that are no frames end the stream.
 */
export class Supervisor {
  readonly files: FileRequests
  /** Settles with `ended` when the supervisor did not live to tell. */
  readonly up: Promise<SupervisorUp | ChannelEnd>
  readonly #port: FramePort
  readonly #giveUp: () => void
  #onUp: (up: SupervisorUp | ChannelEnd) => void = () => {}
  #kernel: SupervisedKernel | undefined
  #end: ChannelEnd | undefined
  #started = 0

  /** `giveUp` is called where a kernel could not be ended: the supervisor does not answer any more. */
  constructor(write: (bytes: Uint8Array) => void, giveUp: () => void) {
    this.#giveUp = giveUp
    this.#port = new FramePort(write, (frame) => this.#receive(frame))
    this.files = new FileRequests((frame) => this.#port.send(frame))
    this.up = new Promise((resolve) => {
      this.#onUp = resolve
    })
  }

  /** Throws `PROTOCOL_ERROR` or a `TypeError` for what no supervisor says. */
  feed(bytes: Uint8Array): void {
    this.#port.feed(bytes)
  }

  /** Starts a kernel. There is one at a time: the last one has ended before. */
  connect(receive: (frame: Frame) => void): Channel {
    const kernel = new SupervisedKernel(`k${++this.#started}`, this.#port, receive, this.#giveUp)
    if (this.#end === undefined) {
      this.#kernel = kernel
      this.#port.send({ type: 'connect', id: kernel.id })
    } else kernel.gone(this.#end)
    return kernel
  }

  /** The stream has ended, and with it all that was behind it. */
  gone(end: ChannelEnd): void {
    this.#end ??= end
    this.#kernel?.gone(end)
    this.files.abandon(end)
    this.#onUp(end)
  }

  #receive(frame: Frame): void {
    if (frame.type === 'up') this.#onUp(readUp(frame.body))
    else if (frame.type === 'file') this.files.answer(frame.id, parse(frame.body) as FileReply)
    else if (frame.id === this.#kernel?.id) this.#kernel.hear(frame)
  }
}

function readUp(body: Uint8Array): SupervisorUp {
  const { version, confined } = parse(body) as Record<string, unknown>
  return { version: String(version), confined: confined === true }
}

function parse(body: Uint8Array): unknown {
  const value: unknown = JSON.parse(Buffer.from(body).toString('utf8'))
  if (typeof value === 'object' && value !== null) return value
  throw new TypeError('a body that is no object')
}
