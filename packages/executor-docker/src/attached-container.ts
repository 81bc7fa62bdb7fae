import type { Duplex } from 'node:stream'
import { CodeActError } from '@codeact/spec'
import type Docker from 'dockerode'
import { type ContainerEnd, endOf } from './container-end.ts'
import { Demultiplexer, type Outputs } from './demux.ts'
import type { Patience } from './patience.ts'
import { removeContainer } from './remove-container.ts'
import type { RunningContainer } from './running-container.ts'

/** A read of this size says that more is waiting: Node would take it all at once, and the host would do nothing else. */
const FLOOD_BYTES = 32 * 1024

/** A container by the stream that it is attached to; it is heard from the first, whether or not it has been started. */
export class AttachedContainer implements RunningContainer {
  readonly id: string
  readonly closed: Promise<ContainerEnd>
  readonly #docker: Docker
  readonly #stream: Duplex
  readonly #patience: Patience
  #removal: Promise<CodeActError | undefined> | undefined
  #nonsense: CodeActError | undefined
  #hangUp: () => void = () => {}

  constructor(docker: Docker, id: string, stream: Duplex, outputs: Outputs, patience: Patience) {
    this.id = id
    this.#docker = docker
    this.#stream = stream
    this.#patience = patience
    const demultiplexer = new Demultiplexer(outputs)
    stream.on('data', (bytes: Uint8Array) => {
      this.#feed(demultiplexer, bytes)
      if (bytes.length >= FLOOD_BYTES) restUntilNextTurn(stream)
    })
    this.closed = new Promise<void>((resolve) => {
      this.#hangUp = resolve
      for (const event of ['end', 'close', 'error']) stream.on(event, () => resolve())
    }).then(() => this.#end())
  }

  write(bytes: Uint8Array | string): void {
    if (this.#stream.writable) this.#stream.write(bytes)
  }

  ref(): void {
    hold(this.#stream)?.ref()
  }

  unref(): void {
    hold(this.#stream)?.unref()
  }

  async close(): Promise<void> {
    await this.#remove()
    await this.closed
  }

  /** The stream goes first: while an attached client does not read, some engines answer no call about its container. */
  #remove(): Promise<CodeActError | undefined> {
    this.#stream.destroy()
    this.#removal ??= removeContainer(this.#docker, this.id, this.#patience.remove)
    this.#hangUp()
    return this.#removal
  }

  #feed(demultiplexer: Demultiplexer, bytes: Uint8Array): void {
    try {
      demultiplexer.feed(bytes)
    } catch (cause) {
      if (!CodeActError.is(cause)) throw cause
      this.#nonsense = cause
      this.#stream.destroy()
    }
  }

  /** What ended by itself is removed by Docker; what may live on, by us. */
  async #end(): Promise<ContainerEnd> {
    if (this.#removal !== undefined) return closed(await this.#removal)
    if (this.#nonsense !== undefined) {
      await this.#remove()
      return { reason: 'protocol', detail: this.#nonsense.message, error: this.#nonsense }
    }
    const end = await endOf(this.#docker, this.id, this.#patience)
    if (end.reason === 'cut') await this.#remove()
    return end
  }
}

function closed(error: CodeActError | undefined): ContainerEnd {
  return { reason: 'closed', detail: 'it was closed', ...(error === undefined ? {} : { error }) }
}

function restUntilNextTurn(stream: Duplex): void {
  stream.pause()
  setImmediate(() => stream.resume())
}

/** A socket keeps its process alive; what goes through another program does so by that. */
function hold(stream: Duplex): { ref(): void; unref(): void } | undefined {
  return 'unref' in stream ? (stream as unknown as { ref(): void; unref(): void }) : undefined
}
