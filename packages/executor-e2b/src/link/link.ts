import { setTimeout as sleep } from 'node:timers/promises'
import type { ChannelEnd } from '@codeact/sandbox'
import { orAborted } from '@codeact/spec'
import type { Attachment, Connection } from './connection.ts'
import { Inbox } from './inbox.ts'
import { encodeLine, type Line, LineReader } from './line.ts'
import { type Message, Outbox } from './outbox.ts'
import { LINK_PATIENCE, type LinkPatience } from './patience.ts'
import { Lost, persist } from './persist.ts'

/** The far end holds back when it has sent 2 MB that were not acknowledged. */
const ACK_BYTES = 256 * 1024
const LONG_STREAM = 4_000_000

export interface LinkOptions {
  readonly receive: (bytes: Uint8Array) => void
  /** Higher than that of any host before. Default 0: there was none. */
  readonly session?: number
  readonly patience?: LinkPatience
  /** Characters that a stream may bring before it is exchanged for a new one: the SDK keeps all of them. Default 4 million. */
  readonly longStream?: number
}

/**
 * A stream of bytes in both directions to a process far away, over a connection that may break at any point. Messages are numbered,
 * acknowledged, kept until then, and sent again over the next connection; what comes twice is dropped. One send is under way at a
 * time, and what gathers meanwhile goes with the next.
 */
export class Link {
  /** Settles, never rejects. */
  readonly closed: Promise<ChannelEnd>
  readonly #connection: Connection
  readonly #session: number
  readonly #patience: LinkPatience
  readonly #longStream: number
  readonly #outbox = new Outbox()
  readonly #inbox: Inbox
  readonly #reader = new LineReader()
  readonly #uploads = new Map<number, Promise<void>>()
  readonly #closing = new AbortController()
  readonly #watch: NodeJS.Timeout
  #settle: (end: ChannelEnd) => void = () => {}
  #onAnswer: () => void = () => {}
  #attachment: Attachment | undefined
  /** Streams are counted, so that what an old one still brings is not heard. */
  #stream = 0
  #healing: Promise<void> | undefined
  #isSending = false
  #asks = false
  #heardAt = performance.now()
  #heardLength = 0
  #oldest = { seq: 0, since: 0 }
  #roundTripMs = 0

  constructor(connection: Connection, options: LinkOptions) {
    const { receive, session = 0, patience = LINK_PATIENCE, longStream = LONG_STREAM } = options
    this.#connection = connection
    this.#session = session
    this.#longStream = longStream
    this.#patience = patience
    this.#inbox = new Inbox({
      receive,
      fetch: (file) => this.#persist(() => connection.readFile(file)),
      giveUp: (error) => this.#fail(error),
    })
    this.#watch = setInterval(() => this.#look(), patience.silence / 3)
    this.#watch.unref()
    this.closed = new Promise((resolve) => {
      this.#settle = resolve
    })
  }

  /** Takes up the connection: by `open`, which starts the process, or to one that runs. */
  async start(open: Connection['attach']): Promise<void> {
    this.#use(await open(this.#listener()))
  }

  /** Takes up the connection again, until it stands or `closed` settles. `failure` is why it is needed. */
  connect(failure?: unknown): Promise<void> {
    this.#healing ??= this.#heal(failure).finally(() => {
      this.#healing = undefined
      this.#pump()
    })
    return this.#healing
  }

  /** How long the last line took until it was known to have arrived. */
  get roundTripMs(): number {
    return this.#roundTripMs
  }

  write(bytes: Uint8Array): void {
    this.#outbox.add(bytes)
    queueMicrotask(() => this.#pump())
  }

  /** Waits until all has arrived on both sides, and lets go of the connection. Rejects where that takes too long. */
  async rest(): Promise<void> {
    const until = performance.now() + this.#patience.outage
    let acknowledged: number
    do {
      if (performance.now() > until) throw new Error('the sandbox does not come to rest')
      await this.#healing
      acknowledged = this.#inbox.received
      await this.#answerTo(async () => this.#ask())
      // What was heard and not acknowledged would be said again to the next host.
    } while (!this.#outbox.isEmpty || !this.#inbox.isEmpty || this.#inbox.received !== acknowledged)
    this.#letGo()
  }

  close(end: ChannelEnd = { reason: 'closed', detail: 'it was closed' }): void {
    if (this.#closing.signal.aborted) return
    this.#closing.abort(new Lost(end))
    clearInterval(this.#watch)
    this.#letGo()
    this.#settle({ ...end, delivery: this.#outbox.delivery })
  }

  #listener(): (text: string) => void {
    const stream = ++this.#stream
    this.#reader.reset()
    this.#heardLength = 0
    return (text) => {
      if (stream === this.#stream) this.#hear(text)
    }
  }

  #use(attachment: Attachment): void {
    this.#attachment = attachment
    void attachment.ended.then(async (failure) => {
      await this.#healing // It may have ended before the other end was all told.
      if (this.#attachment === attachment) void this.connect(failure)
    })
    this.#pump()
  }

  #letGo(): void {
    this.#stream += 1
    this.#attachment?.detach()
    this.#attachment = undefined
  }

  #hear(text: string): void {
    this.#heardLength += text.length
    for (const line of this.#reader.feed(text)) if (line.session === this.#session) this.#take(line)
    if (this.#inbox.unacknowledgedBytes >= ACK_BYTES) this.#pump()
    if (this.#heardLength > this.#longStream) void this.connect()
  }

  #take(line: Line): void {
    this.#heardAt = performance.now()
    this.#outbox.acknowledge(line.ack)
    if (line.kind === 's') this.#onAnswer()
    else if (line.seq > 0) this.#inbox.take(line)
  }

  #pump(): void {
    if (this.#isSending || this.#healing !== undefined || this.#attachment === undefined) return
    this.#isSending = true
    this.#sendAll().then(
      () => {
        this.#isSending = false
      },
      (failure) => {
        this.#isSending = false
        if (!this.#closing.signal.aborted) void this.connect(failure)
      },
    )
  }

  /** While the connection is taken up again nothing else is sent: the far end takes messages in their order only. */
  async #sendAll(): Promise<void> {
    while (this.#healing === undefined && this.#attachment !== undefined) {
      const message = this.#outbox.take((seq) => `in-${this.#session}-${seq}`)
      if (message !== undefined) await this.#send(message)
      else if (this.#asks) await this.#sendLine({ seq: 0, kind: 's', data: '' })
      else if (this.#inbox.unacknowledgedBytes >= ACK_BYTES) await this.#sendLine({ seq: 0, kind: 'a', data: '' })
      else return
    }
  }

  async #send(message: Message): Promise<void> {
    if (message.kind === 'f') await this.#upload(message)
    this.#outbox.leaves(message)
    await this.#sendLine(message)
  }

  async #sendLine({ seq, kind, data }: Pick<Line, 'seq' | 'kind' | 'data'>): Promise<void> {
    if (kind === 's') this.#asks = false
    this.#inbox.acknowledged()
    const line = encodeLine({ session: this.#session, seq, ack: this.#inbox.received, kind, data })
    const since = performance.now()
    await this.#connection.send(`\n${line}`) // The one before may have been cut.
    this.#roundTripMs = performance.now() - since
  }

  #ask(): void {
    this.#asks = true
    this.#pump()
  }

  /** Rejects where the far end does not answer. */
  async #answerTo(ask: () => Promise<void>): Promise<void> {
    const answer = new Promise<void>((resolve) => {
      this.#onAnswer = resolve
    })
    const patience = new AbortController()
    const late = sleep(this.#patience.answer, undefined, { signal: patience.signal, ref: false }).then(() => {
      throw new Error('the sandbox does not answer')
    })
    try {
      await orAborted(Promise.race([ask().then(() => answer), late]), this.#closing.signal)
    } finally {
      late.catch(() => {})
      patience.abort()
    }
  }

  async #heal(failure: unknown): Promise<void> {
    this.#letGo()
    try {
      const end = failure === undefined ? undefined : await this.#connection.judge(failure)
      if (end !== undefined) throw new Lost(end)
      await this.#persist(() => this.#reconnect())
    } catch (error) {
      this.#fail(error)
    }
  }

  /** The far end says what it has, and repeats what we have not; then the same is done here. */
  async #reconnect(): Promise<void> {
    const attachment = await this.#connection.attach(this.#listener())
    try {
      const cut = attachment.ended.then((failure) => {
        throw failure ?? new Error('the stream has ended')
      })
      cut.catch(() => {})
      await Promise.race([this.#answerTo(() => this.#sendLine({ seq: 0, kind: 's', data: '' })), cut])
      for (const message of [...this.#outbox.unacknowledged]) await this.#send(message)
    } catch (error) {
      attachment.detach()
      throw error
    }
    if (this.#closing.signal.aborted) attachment.detach()
    else this.#use(attachment)
  }

  /** From time to time: whether the far end is silent, or a message is not acknowledged that long was. */
  #look(): void {
    if (this.#healing !== undefined || this.#attachment === undefined) return
    const now = performance.now()
    const { answer, silence } = this.#patience
    const seq = this.#outbox.unacknowledged[0]?.seq ?? 0
    if (seq !== this.#oldest.seq) this.#oldest = { seq, since: now }
    const isStuck = seq > 0 && !this.#isSending && now - this.#oldest.since > answer
    if (isStuck || now - this.#heardAt > silence + answer) void this.connect()
    else if (now - this.#heardAt > silence) this.#ask()
  }

  #upload(message: Message): Promise<void> {
    const known = this.#uploads.get(message.seq)
    if (known !== undefined) return known
    const upload = this.#persist(() => this.#connection.writeFile(message.data, message.payload))
    this.#uploads.set(message.seq, upload)
    upload.then(
      () => this.#uploads.delete(message.seq),
      (error) => this.#fail(error),
    )
    return upload
  }

  #fail(error: unknown): void {
    this.close(error instanceof Lost ? error.end : { reason: 'protocol', detail: String(error) })
  }

  #persist<T>(work: () => Promise<T>): Promise<T> {
    return persist(work, this.#connection, this.#patience, this.#closing.signal)
  }
}
