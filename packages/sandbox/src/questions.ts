import { newId, type Rollback, type Variable } from '@codeact/spec'
import type { Channel, ForkRequest } from './backend.ts'
import type { Frame, FrameInput } from './frames/frame.ts'
import { Question } from './question.ts'
import { type Awake, readCopied, readVariables } from './replies.ts'

/** Why something was not done; undefined where it was. */
export type Reason = string | undefined

const SILENT = 'what ran the code has ended, or does not answer'

/** What is asked of a kernel while no cell runs: one thing at a time, which the caller sees to. */
export class Questions {
  readonly #channel: Channel
  readonly #timeoutMs: number
  readonly #variables = new Question<readonly Variable[]>()
  readonly #copied = new Question<{ readonly reason: Reason }>()
  readonly #restored = new Question<Rollback | 'missing'>()
  /** The copy that is to go on. */
  #wanted: string | undefined

  /** Milliseconds that an answer may take. */
  constructor(channel: Channel, timeoutMs: number) {
    this.#channel = channel
    this.#timeoutMs = timeoutMs
  }

  /** The variables of the session; undefined where nobody answers. */
  inspect(): Promise<readonly Variable[] | undefined> {
    return this.#ask(this.#variables, { type: 'inspect', id: newId('inspect'), body: {} })
  }

  /** Keeps a copy by this name. */
  async checkpoint(name: string): Promise<Reason> {
    const kept = await this.#ask(this.#copied, { type: 'checkpoint', id: name, body: { name } })
    return kept === undefined ? SILENT : kept.reason
  }

  /** The copy of this name may go. */
  release(name: string): void {
    this.#channel.send({ type: 'release', id: name, body: { name } })
  }

  /** Has a twin begin. */
  async fork(request: ForkRequest): Promise<Reason> {
    const forked = await this.#ask(this.#copied, { type: 'fork', id: request.name, body: request })
    return forked === undefined ? SILENT : forked.reason
  }

  /** Goes back to the copy of this name; undefined where nobody answers. */
  async restore(name: string): Promise<Rollback | 'missing' | undefined> {
    this.#wanted = name
    const restored = await this.#ask(this.#restored, { type: 'restore', id: name, body: { name } })
    this.#wanted = undefined
    return restored
  }

  /** Whether the frame was an answer. */
  hear({ type, body }: Frame): boolean {
    if (type === 'variables') this.#variables.answer(readVariables(body))
    else if (type === 'copied') this.#copied.answer({ reason: readCopied(body) })
    else if (type === 'missing') this.#restored.answer('missing')
    else return false
    return true
  }

  /** A copy goes on in the place of the kernel: the one that was asked for, or another, which is asked again what that one was. */
  succeeded({ rollback, name }: Awake): 'as-asked' | 'by-itself' {
    if (name !== undefined && name === this.#wanted) {
      this.#restored.answer(rollback)
      return 'as-asked'
    }
    for (const question of [this.#variables, this.#copied, this.#restored]) question.askAgain()
    return 'by-itself'
  }

  #ask<Answer>(question: Question<Answer>, frame: FrameInput): Promise<Answer | undefined> {
    return question.ask(() => this.#channel.send(frame), this.#channel.closed, this.#timeoutMs)
  }
}
