import { BadRequestError, UnprocessableEntityError } from 'openai'

/** Fields that a request can do without, and how a refusal that has no `param` speaks of them. */
const OPTIONAL = {
  stop: /\bstop\b/,
  stream_options: /\bstream_options\b/,
  include: /["'`]include["'`]|\bencrypted content is not supported\b/i,
  prompt_cache_key: /\bprompt_cache_key\b/,
} as const

type OptionalField = keyof typeof OPTIONAL

const NAMES = Object.keys(OPTIONAL) as OptionalField[]

/** What a model's server has refused so far. Remembered for the life of the model object, so that each costs one request. */
export class RefusedFields {
  readonly #refused = new Set<OptionalField>()

  /** The request without what was refused. */
  strip<Body extends object>(request: Body): Body {
    const kept = Object.entries(request).filter(([name]) => !this.#refused.has(name as OptionalField))
    return Object.fromEntries(kept) as Body
  }

  /** True when the failure names an optional field that was sent: it is refused from now on, and the call worth another try. */
  learn(error: unknown, sent: object): boolean {
    const field = NAMES.find((name) => name in sent && refuses(error, name))
    if (field === undefined) return false
    this.#refused.add(field)
    return true
  }
}

function refuses(error: unknown, field: OptionalField): boolean {
  if (!(error instanceof BadRequestError || error instanceof UnprocessableEntityError)) return false
  if (typeof error.param === 'string') return error.param.split(/[.[]/)[0] === field
  return OPTIONAL[field].test(error.message)
}
