import { CodeActError, type JsonValue } from '@codeact/spec'

export interface AnthropicOptions {
  /** Where the server is, up to where `/v1/messages` begins. Default: `ANTHROPIC_BASE_URL`, else Anthropic's own. */
  readonly baseURL?: string
  /** Default: `ANTHROPIC_API_KEY`. Without either, a server that `baseURL` names is called with the key `none`. */
  readonly apiKey?: string
  /** Sent with every request, for gateways and for betas. */
  readonly headers?: Readonly<Record<string, string>>
  /** How often a call that failed before its first byte is tried again, with growing pauses. Default 2. */
  readonly maxRetries?: number
  /**
   * More fields for the body of every request, in the API's own words: `{ max_tokens: 8000, thinking: { type: 'adaptive' } }`.
   * What the adapter itself writes (`model`, `messages`, `system`, `stream`, …) cannot be replaced. Default: none, but for
   * `max_tokens: 32000`, for the API asks for one.
   */
  readonly request?: Readonly<Record<string, JsonValue>>
}

/** The options, with the environment and the defaults filled in. */
export interface Settings {
  readonly baseURL: string
  readonly apiKey: string
  /** False when `apiKey` is only there because a request needs one. */
  readonly hasKey: boolean
  readonly headers: Readonly<Record<string, string>>
  readonly maxRetries: number
  readonly request: Readonly<Record<string, JsonValue>>
}

const ANTHROPIC_URL = 'https://api.anthropic.com'

export function resolveSettings(options: AnthropicOptions, env: NodeJS.ProcessEnv = process.env): Settings {
  const apiKey = (options.apiKey ?? env.ANTHROPIC_API_KEY)?.trim()
  const baseURL = (options.baseURL ?? env.ANTHROPIC_BASE_URL)?.trim()
  if (!apiKey && !baseURL) throw keyMissing()
  if (apiKey) checkKey(apiKey)
  if (baseURL) checkURL(baseURL)
  return {
    baseURL: baseURL || ANTHROPIC_URL,
    apiKey: apiKey || 'none',
    hasKey: Boolean(apiKey),
    headers: options.headers ?? {},
    maxRetries: options.maxRetries ?? 2,
    request: options.request ?? {},
  }
}

function keyMissing(): CodeActError {
  return new CodeActError('MODEL_KEY_MISSING', 'There is no key for Anthropic.', {
    hint: 'Set one (export ANTHROPIC_API_KEY=sk-ant-…), or name a server that needs none: baseURL (or ANTHROPIC_BASE_URL) http://localhost:8080.',
  })
}

/** A key that cannot stand in a header would fail later, in words that repeat it. */
function checkKey(apiKey: string): void {
  if (/^[\x21-\x7e]+$/.test(apiKey)) return
  throw new CodeActError(
    'MODEL_AUTH',
    'The key for Anthropic holds a line break, a space or another foreign character.',
    {
      hint: 'Copy it again, in one piece: export ANTHROPIC_API_KEY=sk-ant-…',
    },
  )
}

function checkURL(text: string): void {
  const url = URL.canParse(text) ? new URL(text) : undefined
  // A host without a scheme parses as a scheme of its own: `localhost:`.
  if (url && /^https?:$/.test(url.protocol) && !url.username && !url.password) return
  const fault = url?.username || url?.password ? 'holds a user name or password' : 'is not an http or https URL'
  throw new CodeActError('MODEL_BASE_URL', `The base URL of the model server ${fault}.`, {
    hint: 'Write it as http://localhost:8080, without /v1; a secret goes into apiKey or headers.',
  })
}
