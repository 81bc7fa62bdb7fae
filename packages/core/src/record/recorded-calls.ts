import type { CallRecord, CellEvent, CellRecord, JsonValue, ToolCall, ToolOutcome } from '@codeact/spec'
import { fromWire } from './from-wire.ts'

const NOT_HEARD: ToolOutcome = { ok: false, error: { name: 'Aborted', message: 'the call had no result' } }
const NOT_CALLED: ToolOutcome = {
  ok: false,
  error: { name: 'Aborted', message: 'the call is not the one that was recorded' },
}

/**
 * The tool calls that a cell made when it ran first: they answer those that it makes now, and no tool does anything. Calls that
 * are made at the same time may come in another order; each record answers one.
 */
export class RecordedCalls {
  readonly #left: CallRecord[]
  readonly #answers = new Map<string, ToolOutcome>()
  readonly #asked = new Map<string, (outcome: ToolOutcome) => void>()
  readonly #onOther: () => void
  /** A call that it had not made then. */
  other: string | undefined

  /** @param onOther called at the first call that is not in the record */
  constructor({ calls }: CellRecord, onOther: () => void) {
    this.#left = [...calls]
    this.#onOther = onOther
  }

  /** A call that it had made then, and not now. */
  get missed(): string | undefined {
    const [first] = this.#left
    return first === undefined ? undefined : shown(first.name, first.input)
  }

  /** The start of a call tells its input in the form in which the record has it. */
  see(event: CellEvent): void {
    if (event.type !== 'tool-start' || event.parent !== event.run) return
    const outcome = this.#take(event.name, event.input)
    this.#answers.set(event.id, outcome)
    this.#asked.get(event.id)?.(outcome)
  }

  readonly answer = ({ callId }: ToolCall): Promise<ToolOutcome> => {
    const known = this.#answers.get(callId)
    if (known !== undefined) return Promise.resolve(known)
    return new Promise((resolve) => this.#asked.set(callId, resolve))
  }

  #take(name: string, input: JsonValue): ToolOutcome {
    const sign = shown(name, input)
    const index = this.#left.findIndex((one) => shown(one.name, one.input) === sign)
    if (index === -1) {
      this.other ??= sign
      this.#onOther()
      return NOT_CALLED
    }
    const [{ outcome } = {}] = this.#left.splice(index, 1)
    if (outcome === undefined) return NOT_HEARD
    return outcome.ok ? { ok: true, value: fromWire(outcome.value) } : outcome
  }
}

function shown(name: string, input: JsonValue): string {
  return `${name}(${JSON.stringify(input)})`
}
