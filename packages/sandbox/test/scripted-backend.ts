import type { Backend, Channel, ChannelEnd, Frame, FrameInput } from '../src/index.ts'

/** A kernel that says what a test tells it to: for what a true kernel never says, and a hostile one may. */
export class ScriptedKernel implements Channel {
  readonly sent: FrameInput[] = []
  readonly signals: string[] = []
  roundTripMs?: number
  closes = 0
  readonly closed: Promise<ChannelEnd>
  readonly #receive: (frame: Frame) => void
  readonly #onSend: (kernel: ScriptedKernel, frame: FrameInput) => void
  #end: (end: ChannelEnd) => void = () => {}
  #onSuccession: (end: ChannelEnd) => void = () => {}
  #seq = 0

  constructor(receive: (frame: Frame) => void, onSend: (kernel: ScriptedKernel, frame: FrameInput) => void) {
    this.#receive = receive
    this.#onSend = onSend
    this.closed = new Promise((resolve) => {
      this.#end = resolve
    })
  }

  say(type: string, id: string, body: unknown): void {
    const bytes =
      body instanceof Uint8Array
        ? body
        : new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body))
    this.#receive({ type, id, seq: ++this.#seq, ack: 0, body: bytes })
  }

  /** Another one goes on in its place. */
  succeed(end: ChannelEnd, awake: unknown = { restored: [], lost: [] }): void {
    this.#onSuccession(end)
    this.say('awake', '-', awake)
  }

  /** From now on there are copies. */
  copied(): this {
    this.onSuccession = (listen) => {
      this.#onSuccession = listen
    }
    return this
  }

  die(end: ChannelEnd): void {
    this.#end(end)
  }

  send(frame: FrameInput): void {
    this.sent.push(frame)
    if (frame.type === 'start') this.say('ready', '-', { language: 'python', version: '3' })
    this.#onSend(this, frame)
  }

  onSuccession?: Channel['onSuccession']

  onKill: () => void = () => {}

  signal(how: 'interrupt' | 'kill-cell'): void {
    this.signals.push(how)
    if (how === 'kill-cell') this.onKill()
  }

  async close(): Promise<void> {
    this.closes += 1
    this.die({ reason: 'closed', detail: 'closed' })
  }
}

export type Script = (kernel: ScriptedKernel, frame: FrameInput) => void

/** A backend of scripted kernels, which are kept for the test to look at. */
export function scriptedBackend(
  script: Script,
  languages: readonly string[] = ['python'],
  prepare: (kernel: ScriptedKernel) => ScriptedKernel = (kernel) => kernel,
): Backend & { readonly kernels: ScriptedKernel[] } {
  const kernels: ScriptedKernel[] = []
  return {
    kernels,
    capabilities: {
      languages: languages.map((language) => ({ language, version: '3', checkpoint: false })),
      isolation: 'none',
      exceptions: [],
    },
    files: {} as Backend['files'],
    async connect(_language, receive) {
      const kernel = prepare(new ScriptedKernel(receive, script))
      kernels.push(kernel)
      return kernel
    },
    async close() {},
  }
}
