import type { Frame } from '@codeact/sandbox'
import type { MimeBundle } from '@codeact/spec'
import type { Result, Sandbox } from '@e2b/code-interpreter'
import { wordsOf } from '../sdk-error.ts'
import { MarkReader } from './mark-reader.ts'
import { mimeBundle } from './mime-bundle.ts'

/** What was printed comes another way than calls and ends: this long they wait for it. */
export const LATE_MS = 250

export interface CellOptions {
  readonly id: string
  readonly secret: string
  readonly receive: (frame: Frame) => void
}

/** What the kernel says of a cell that has ended. */
export interface Told {
  readonly ok?: unknown
  readonly error?: unknown
  /** The value's text, where E2B changes it. */
  readonly text?: unknown
}

export interface StreamFailure {
  readonly words: string
  /** There was none: the notebook has not taken the cell. */
  readonly isRefused: boolean
}

/** How the SDK says that an answer had another status than 200. */
const REFUSED = /^\d{3} |likely due to sandbox timeout|Context .* not found/

/**
 * A cell in the notebook, told as a kernel would tell it. What it shows comes over E2B's stream; that it begins, calls and ends, by the
 * bridge. Marks in the stream say what was printed before.
 */
export class NotebookCell {
  /** Whether the kernel has taken it up. */
  hasBegun = false
  /** An interrupt was sent; one that came before the cell has had no effect. */
  isInterrupted = false
  readonly id: string
  readonly #receive: (frame: Frame) => void
  readonly #marks: MarkReader
  readonly #seen = new Map<string, () => void>()
  #value: MimeBundle | undefined
  #failure: string | undefined
  #isWhole = false
  #told: Told | undefined
  #onTold: () => void = () => {}

  constructor({ id, secret, receive }: CellOptions) {
    this.id = id
    this.#receive = receive
    this.#marks = new MarkReader(secret, (name) => this.#mark(name))
  }

  /** Whether all that the cell has printed and shown is here. */
  get isWhole(): boolean {
    return this.#isWhole
  }

  /** Resolves when the stream has ended, with why, where that is known. */
  async run(code: string, sandbox: Sandbox, context: string): Promise<StreamFailure | undefined> {
    const out = (text: string): void => this.#say('stdout', Buffer.from(text))
    try {
      await sandbox.runCode(code, {
        context: { id: context, language: 'python', cwd: '' },
        timeoutMs: 0,
        onStdout: ({ line }) => this.#marks.feed(line, out),
        onStderr: ({ line }) => this.#say('stderr', Buffer.from(line)),
        onResult: (result) => this.#show(result),
        onError: ({ name, value }) => {
          this.#failure = `${name}: ${value}`
        },
      })
      return undefined
    } catch (error) {
      const words = wordsOf(error)
      return { words, isRefused: REFUSED.test(words) }
    } finally {
      this.#marks.end(out)
    }
  }

  /** A call of the kernel's, after what was printed before it. */
  async call(frame: Frame): Promise<void> {
    await new Promise<void>((resolve) => {
      if (this.#seen.has(frame.id)) return resolve()
      this.#seen.set(frame.id, resolve)
      setTimeout(resolve, LATE_MS).unref()
    })
    this.#receive(frame)
  }

  tell(told: Told): void {
    this.#told = told
    this.#onTold()
  }

  /** Whether it has ended well. */
  get isDone(): boolean {
    return this.#told?.ok === true
  }

  /** Whether the kernel tells the end in this time. */
  async isTold(withinMs: number): Promise<boolean> {
    if (this.#told === undefined) {
      await new Promise<void>((resolve) => {
        this.#onTold = resolve
        setTimeout(resolve, withinMs).unref()
      })
    }
    return this.#told !== undefined
  }

  /** The end as the kernel told it, with the value that came over the stream. */
  finish(): void {
    const { ok, error, text } = this.#told ?? {}
    const value = typeof text === 'string' ? { ...this.#value, 'text/plain': text } : (this.#value ?? this.#unshown())
    this.#say('done', { ok, ...(error === undefined ? {} : { error }), ...(value === undefined ? {} : { value }) })
  }

  /** The end of a cell whose stream was cut. */
  fail(name: string, message: string): void {
    this.#say('done', { ok: false, error: { name, message, traceback: `${name}: ${message}` } })
  }

  /** The code has succeeded, and its value's own methods have not. */
  #unshown(): MimeBundle | undefined {
    if (this.#told?.ok !== true || this.#failure === undefined) return undefined
    return { 'text/plain': `<a value that cannot be shown: ${this.#failure}>` }
  }

  #mark(name: string): void {
    if (name === 'end') this.#isWhole = true
    const waiting = this.#seen.get(name)
    this.#seen.set(name, () => {})
    waiting?.()
  }

  #show({ raw, isMainResult }: Result): void {
    const bundle = mimeBundle(raw)
    if (isMainResult) this.#value = bundle
    else this.#say('display', bundle)
  }

  #say(type: string, body: unknown): void {
    const bytes = body instanceof Uint8Array ? body : Buffer.from(JSON.stringify(body))
    this.#receive({ type, seq: 0, ack: 0, id: this.id, body: bytes })
  }
}
