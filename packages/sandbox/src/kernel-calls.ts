import type { Channel } from './backend.ts'
import type { Frame } from './frames/frame.ts'
import { readCall } from './replies.ts'
import type { RawToolCall, WireOutcome } from './tool-dispatch.ts'

/** Calls that may be under way at once; what calls more has gone wrong, or wants the host's memory. */
const MOST_CALLS = 1000
/** Calls beyond those that are refused in a cell; who goes on after that does not listen. */
const MOST_REFUSALS = 5000

const TOO_MANY_CALLS: WireOutcome = {
  ok: false,
  error: { name: 'RuntimeError', message: `more than ${MOST_CALLS} tool calls at once` },
}

const NO_CELL: WireOutcome = {
  ok: false,
  error: { name: 'RuntimeError', message: 'a tool can be called only while a cell runs' },
}

/** The calls of tools that a kernel makes, each answered once. */
export class KernelCalls {
  readonly #channel: Channel
  #open = new Set<string>()
  #refusals = 0

  constructor(channel: Channel) {
    this.#channel = channel
  }

  beginCell(): void {
    this.#refusals = 0
  }

  /** What was called is not answered any more: the kernel that called has ended, and its copy may give the same ids to others. */
  forget(): void {
    this.#open = new Set()
  }

  /** `answer` is that of the running cell, where there is one. Throws for what cannot be read, or goes on against all refusals. */
  take(frame: Frame, answer: ((call: RawToolCall) => Promise<WireOutcome>) | undefined): void {
    const open = this.#open
    if (answer === undefined || open.size >= MOST_CALLS) {
      this.#refuse(frame.id, answer === undefined ? NO_CELL : TOO_MANY_CALLS)
      return
    }
    const call = readCall(frame.id, frame.body)
    if (open.has(call.callId)) throw new TypeError('a call id that is in use')
    open.add(call.callId)
    void answer(call).then((outcome) => {
      open.delete(call.callId)
      if (open === this.#open) this.#answer(call.callId, outcome)
    })
  }

  #refuse(callId: string, outcome: WireOutcome): void {
    if (++this.#refusals > MOST_REFUSALS) throw new TypeError(`more than ${MOST_REFUSALS} calls that were refused`)
    this.#answer(callId, outcome)
  }

  #answer(callId: string, outcome: WireOutcome): void {
    this.#channel.send({ type: 'result', id: callId, body: outcome })
  }
}
