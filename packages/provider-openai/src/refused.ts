import type { Fault } from '@codeact/model'

/** Fields that a request can do without, and how a refusal that has no `param` speaks of them. */
const OPTIONAL = {
  stop: /\bstop\b/,
  stream_options: /\bstream_options\b/,
  include: /["'`]include["'`]|\bencrypted content is not supported\b/i,
  prompt_cache_key: /\bprompt_cache_key\b/,
} as const

const NAMES = Object.keys(OPTIONAL) as (keyof typeof OPTIONAL)[]

/** The request without the fields that were refused. */
export function strip<Body extends object>(body: Body, refused: ReadonlySet<string>): Body {
  return Object.fromEntries(Object.entries(body).filter(([name]) => !refused.has(name))) as Body
}

/** The optional field that was sent and that the failure names. */
export function refusedFields({ field, words }: Fault, body: object): readonly string[] {
  const name = NAMES.find((one) => one in body && (field === undefined ? OPTIONAL[one].test(words) : field === one))
  return name === undefined ? [] : [name]
}
