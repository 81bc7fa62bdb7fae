import type { Output } from '../output.ts'
import { type Call, unreadable } from './call.ts'
import { EXECUTE_CODE } from './code-call.ts'

/** A call of something that the model was not offered. */
export class UnknownCall implements Call {
  readonly isWhole = false
  readonly #callId: string
  readonly #name: string
  readonly #isFunction: boolean
  readonly #output: Output
  #json = ''

  /** @param isFunction whether code could call it */
  constructor(callId: string, name: string, isFunction: boolean, output: Output) {
    this.#callId = callId
    this.#name = name
    this.#isFunction = isFunction
    this.#output = output
  }

  read(json: string): void {
    this.#json += json
  }

  end(): void {
    const name = JSON.stringify(this.#name.slice(0, 80))
    const reason = this.#isFunction
      ? `${name} is a function that your code can call, and no tool: call it from code, with ${EXECUTE_CODE}.`
      : `There is no tool ${name}. To run code, call ${EXECUTE_CODE}.`
    this.#output.event({ type: 'action', action: unreadable(this.#callId, reason, this.#json) })
  }
}
