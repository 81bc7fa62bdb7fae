import type { EndedReply, LeftReply, ReplyReader } from '@codeact/model'
import type { Finish, ModelEvent } from '@codeact/spec'
import { APIError } from 'openai'
import type { FinalResponse, ResponsesEvent } from './event.ts'
import { Output } from './output.ts'
import { usageOf } from './usage.ts'

const FINISH: Readonly<Record<string, Finish>> = {
  completed: 'stop',
  max_output_tokens: 'length',
  content_filter: 'refusal',
}

/** Reads the events of one reply: what they tell as it comes, and the whole message at the end. */
export class ResponsesReader implements ReplyReader<ResponsesEvent> {
  readonly #output: Output
  #reason = ''
  #final: FinalResponse | undefined

  constructor(model: string) {
    this.#output = new Output(model)
  }

  get isWhole(): boolean {
    return this.#reason !== ''
  }

  read(event: ResponsesEvent): ModelEvent[] {
    switch (event.type) {
      case 'response.completed':
        this.#readEnd('completed', event)
        return []
      case 'response.incomplete':
        this.#readEnd(event.response?.incomplete_details?.reason || 'incomplete', event)
        return []
      case 'response.failed':
        throw failure(event.response?.error)
      case 'error':
        throw failure(event)
      default:
        return this.#output.read(event)
    }
  }

  end(): EndedReply {
    const reason = this.#reason && `incomplete for ${JSON.stringify(this.#reason)}`
    return { ...this.#output.end(), finish: this.#finish(), reason, usage: usageOf(this.#final?.usage) }
  }

  leave(): LeftReply {
    return { ...this.#output.leave(), usage: usageOf(undefined) }
  }

  #readEnd(reason: string, event: ResponsesEvent): void {
    this.#reason = reason
    this.#final = event.response ?? undefined
  }

  #finish(): Finish | undefined {
    const finish = Object.hasOwn(FINISH, this.#reason) ? FINISH[this.#reason] : undefined
    if (finish !== 'stop') return finish
    if (this.#output.isRefusal) return 'refusal'
    return this.#output.hasCalls ? 'tool-calls' : 'stop'
  }
}

/** In the form in which the SDK throws the errors that it finds in a stream by itself. */
function failure(error: FinalResponse['error']): APIError {
  const message = error?.message || error?.code || 'the server gives no reason'
  return new APIError(undefined, { code: error?.code, message }, message, undefined)
}
