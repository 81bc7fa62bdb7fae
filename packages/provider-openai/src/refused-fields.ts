import { BadRequestError, UnprocessableEntityError } from 'openai'
import type { ChatRequest } from './chat-request.ts'

/** Fields that a request can do without. */
const OPTIONAL = ['stop', 'stream_options'] as const

type OptionalField = (typeof OPTIONAL)[number]

/** What a model's server has refused so far. Remembered for the life of the model object, so that each costs one request. */
export class RefusedFields {
  readonly #refused = new Set<OptionalField>()

  /** The request without what was refused. */
  strip(request: ChatRequest): ChatRequest {
    const rest = { ...request }
    for (const field of this.#refused) delete rest[field]
    return rest
  }

  /** True when the failure names an optional field that was sent: it is refused from now on, and the call worth another try. */
  learn(error: unknown, sent: ChatRequest): boolean {
    const field = OPTIONAL.find((name) => sent[name] !== undefined && refuses(error, name))
    if (field === undefined) return false
    this.#refused.add(field)
    return true
  }
}

function refuses(error: unknown, field: OptionalField): boolean {
  if (!(error instanceof BadRequestError || error instanceof UnprocessableEntityError)) return false
  if (typeof error.param === 'string') return error.param.split('.')[0] === field
  return new RegExp(`\\b${field}\\b`).test(error.message)
}
