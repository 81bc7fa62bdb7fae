import type { Fault, Meaning } from './fault.ts'
import type { Vendor } from './vendor.ts'

/** What a fault is to the operator. */
interface Told {
  readonly code: string
  readonly says: string
  readonly hint: string
  readonly isRetryable?: boolean
}

/** Whom it is about, and what the server says. */
type Case = Pick<Vendor, 'server' | 'model' | 'hasKey' | 'hints'> & { readonly words: string }

/** As vendors say it: they share no code for it. */
const TOO_LONG =
  /context (length|window|size|limit)|maximum context|available context|prompt is too long|too many (input )?tokens/i

/** By its status, where the vendor did not say more. */
export function meaningOf({ means, status = 500, words }: Fault): Meaning {
  if (means !== undefined) return means
  if (status < 300) return 'bad-response'
  if (status === 401 || status === 403) return 'key-refused'
  if (status === 402) return 'no-credit'
  if (status === 404) return 'not-found'
  if (status === 408 || status === 409 || status >= 500) return 'overloaded'
  if (status === 429) return 'rate-limit'
  return status === 413 || TOO_LONG.test(words) ? 'too-long' : 'bad-request'
}

/** The table of meanings: one code, one sentence and one hint for each, whoever the vendor is. */
export const MEANINGS: Readonly<Record<Meaning, (about: Case) => Told>> = {
  'bad-address': ({ server, words, hints }) => ({
    code: 'MODEL_BASE_URL',
    says: `${server} cannot be called: ${words}`,
    hint: [
      'Write it as an http or https URL, without a user name or password.',
      ...(hints?.address ? [hints.address] : []),
    ].join(' '),
  }),
  'bad-request': ({ server, words, hints }) => ({
    code: 'MODEL_BAD_REQUEST',
    says: `${server} refused the request: ${words}`,
    hint: hints?.request ?? 'Check what was sent: the options of the model, and the length of the transcript.',
  }),
  'bad-response': ({ server, words, hints }) => ({
    code: 'MODEL_BAD_RESPONSE',
    says: `${server} answered with something that is no reply: ${words}`,
    hint: hints?.address ?? 'Check the address of the server.',
  }),
  'content-refused': ({ server, words }) => ({
    code: 'MODEL_CONTENT_REFUSED',
    says: `${server} refuses to answer what is in the transcript: ${words}`,
    hint: 'Word the task in another way, or begin a new session without what set it off.',
  }),
  'key-missing': ({ server, words, hints }) => ({
    code: 'MODEL_KEY_MISSING',
    says: `There is no key for ${server}: ${words}`,
    hint: `Set one${ending(hints?.key)}`,
  }),
  'key-refused': ({ server, words, hasKey = true, hints }) => ({
    code: 'MODEL_AUTH',
    says: `${server} ${hasKey ? 'refused the key' : 'asks for a key'}: ${words}`,
    hint: `Set a key that is valid for ${server}${ending(hints?.key)}`,
  }),
  'no-connection': ({ server, words, hints }) => ({
    code: 'MODEL_NETWORK',
    says: `There is no connection to ${server} (${words}).`,
    hint: `Check that ${server} is the right address, and that its server runs and can be reached${ending(hints?.reach)}`,
    isRetryable: true,
  }),
  'no-credit': ({ server, words, hints }) => ({
    code: 'MODEL_RATE_LIMIT',
    says: `The account at ${server} has nothing left to spend: ${words}`,
    hint: `Add credit to the account or raise its limit; or set a key of another one${ending(hints?.key)}`,
  }),
  'not-found': ({ server, words, model, hints }) => ({
    code: 'MODEL_NOT_FOUND',
    says: `${server} ${model === undefined ? 'lists no models' : `does not know the model ${JSON.stringify(model)}`}, or nothing is served there: ${words}`,
    hint: hints?.models ?? 'Check the name of the model; if that is right, the address of the server.',
  }),
  'not-made': ({ server, words, hints }) => ({
    code: 'MODEL_BAD_REQUEST',
    says: `The call to ${server} could not be made: ${words}`,
    hint: hints?.request ?? 'Check the options of the model.',
  }),
  overloaded: ({ server, words }) => ({
    code: 'MODEL_OVERLOADED',
    says: `${server} failed: ${words}`,
    hint: 'Run it again in a while. A server of your own says more in its log.',
    isRetryable: true,
  }),
  'rate-limit': ({ server, words, hints }) => ({
    code: 'MODEL_RATE_LIMIT',
    says: `${server} has had too many calls: ${words}`,
    hint: `Run it again in a while, or give it more patience${ending(hints?.patience)}`,
    isRetryable: true,
  }),
  'stream-cut': ({ words }) => ({
    code: 'MODEL_STREAM_CUT',
    says: `The reply of the model broke off before its end${words && `: ${words}`}.`,
    hint: 'Run it again. If it happens each time, look at the log of the model server, or of the proxy before it.',
    isRetryable: true,
  }),
  'too-long': ({ server, words, model, hints }) => ({
    code: 'MODEL_CONTEXT_LENGTH',
    says: `The transcript is longer than ${model === undefined ? server : `${JSON.stringify(model)} at ${server}`} can read: ${words}`,
    hint: [
      'Begin a new session, print less from code, or name a model that reads more.',
      ...(hints?.context ? [hints.context] : []),
    ].join(' '),
  }),
}

function ending(text: string | undefined): string {
  return text === undefined ? '.' : `: ${text}`
}
