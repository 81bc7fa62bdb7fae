import { type ModelEvent, newId } from '@codeact/spec'
import type { ToolCallDelta } from './chunk.ts'

export interface CallDraft {
  readonly type: 'tool-call'
  readonly callId: string
  readonly name: string
  json: string
}

/**
 * Puts streamed tool calls together. A delta belongs to the call with its index; a new id under a known index, or no index
 * at all, is how some servers begin another call. All calls end with the reply: deltas of several may be interleaved.
 */
export class ToolCallAssembly {
  readonly #byIndex = new Map<number, CallDraft>()
  readonly #calls: CallDraft[] = []
  readonly #onCall: (call: CallDraft) => void

  constructor(onCall: (call: CallDraft) => void) {
    this.#onCall = onCall
  }

  get count(): number {
    return this.#calls.length
  }

  read(delta: ToolCallDelta): ModelEvent[] {
    const known = this.#find(delta)
    const call = known ?? this.#open(delta)
    const json = delta.function?.arguments ?? ''
    call.json += json
    return [
      ...(known ? [] : [{ type: 'tool-call-start', callId: call.callId, name: call.name } as const]),
      ...(json === '' ? [] : [{ type: 'tool-call-delta', callId: call.callId, json } as const]),
    ]
  }

  /** The ends of all calls, or of some. */
  end(which: (call: CallDraft) => boolean = () => true): ModelEvent[] {
    return this.#calls.filter(which).map(({ callId }) => ({ type: 'tool-call-end', callId }))
  }

  #find({ index, id }: ToolCallDelta): CallDraft | undefined {
    const call = index === undefined ? this.#calls.at(-1) : this.#byIndex.get(index)
    return id && call?.callId !== id ? undefined : call
  }

  #open(delta: ToolCallDelta): CallDraft {
    const call: CallDraft = {
      type: 'tool-call',
      callId: delta.id || newId('call'),
      name: delta.function?.name ?? '',
      json: '',
    }
    if (delta.index !== undefined) this.#byIndex.set(delta.index, call)
    this.#calls.push(call)
    this.#onCall(call)
    return call
  }
}

/** True when the arguments are all there, as far as one can see: an object that is closed. */
export function isWholeCall({ json }: CallDraft): boolean {
  try {
    return typeof JSON.parse(json) === 'object'
  } catch {
    return false
  }
}
