import type { JsonValue } from '@codeact/spec'
import type { Output } from '../output.ts'
import { type Call, CUT_OFF, unreadable } from './call.ts'

/** A tool that the model calls itself: its arguments are of use only as a whole. */
export class DirectCall implements Call {
  readonly isWhole = false
  readonly #callId: string
  readonly #name: string
  readonly #output: Output
  #json = ''

  constructor(callId: string, name: string, output: Output) {
    this.#callId = callId
    this.#name = name
    this.#output = output
  }

  read(json: string): void {
    this.#json += json
  }

  end(isCut: boolean): void {
    const [callId, name] = [this.#callId, this.#name]
    const { input, fault = '' } = parsed(this.#json)
    if (input !== undefined) {
      this.#output.event({ type: 'action', action: { type: 'tool', callId, name, input } })
    } else {
      const reason = isCut ? CUT_OFF : `The call could not be read: ${fault}. Call ${name} again, with one JSON object.`
      this.#output.event({ type: 'action', action: unreadable(callId, reason, this.#json) })
    }
  }
}

/** A call without arguments may come without as much as brackets. */
function parsed(json: string): { readonly input?: JsonValue; readonly fault?: string } {
  if (json.trim() === '') return { input: {} }
  try {
    return { input: JSON.parse(json) as JsonValue }
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) }
  }
}
