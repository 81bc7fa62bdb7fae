import { CodeActError, type JsonValue } from '@codeact/spec'

export interface OpenAIOptions {
  /** Which of the vendor's APIs is spoken. Default: `responses` to OpenAI itself, `chat` (Chat Completions) to any other server. */
  readonly api?: 'responses' | 'chat'
  /** Where the server is, mostly up to `/v1`: `http://localhost:11434/v1`. Default: `OPENAI_BASE_URL`, else OpenAI's own. */
  readonly baseURL?: string
  /** Default: `OPENAI_API_KEY`. Without either, a server that `baseURL` names is called with the key `none`. */
  readonly apiKey?: string
  /** Sent with every request, for gateways. */
  readonly headers?: Readonly<Record<string, string>>
  /** How often a call that failed before its first byte is tried again, with growing pauses. Default 2. */
  readonly maxRetries?: number
  /**
   * More fields for the body of every request, in the API's own words: `{ reasoning: { effort: 'low', summary: 'auto' } }`.
   * What the adapter itself writes (`model`, `input`, `messages`, `stream`, …) cannot be replaced, except `prompt_cache_key`.
   * Default: none.
   */
  readonly request?: Readonly<Record<string, JsonValue>>
}

/** The options, with the environment and the defaults filled in. */
export interface Settings {
  readonly api: 'responses' | 'chat'
  readonly baseURL: string
  readonly apiKey: string
  /** False when `apiKey` is only there because a request needs one. */
  readonly hasKey: boolean
  readonly headers: Readonly<Record<string, string>>
  readonly maxRetries: number
  readonly request: Readonly<Record<string, JsonValue>>
}

/** What is the same in the body of all requests of a model. */
export interface Fields extends Readonly<Record<string, JsonValue>> {
  readonly model: string
}

const OPENAI_URL = 'https://api.openai.com/v1'

export function resolveSettings(options: OpenAIOptions, env: NodeJS.ProcessEnv = process.env): Settings {
  const apiKey = (options.apiKey ?? env.OPENAI_API_KEY)?.trim()
  const baseURL = (options.baseURL ?? env.OPENAI_BASE_URL)?.trim()
  if (!apiKey && !baseURL) throw keyMissing()
  if (baseURL) checkURL(baseURL)
  return {
    api: options.api ?? (isOpenAI(baseURL || OPENAI_URL) ? 'responses' : 'chat'),
    baseURL: baseURL || OPENAI_URL,
    apiKey: apiKey || 'none',
    hasKey: Boolean(apiKey),
    headers: options.headers ?? {},
    maxRetries: options.maxRetries ?? 2,
    request: options.request ?? {},
  }
}

/** OpenAI's own host, or that of one of its regions (eu.api.openai.com). */
function isOpenAI(baseURL: string): boolean {
  return /(^|\.)api\.openai\.com$/.test(new URL(baseURL).hostname)
}

function keyMissing(): CodeActError {
  return new CodeActError('MODEL_KEY_MISSING', 'There is no key for OpenAI.', {
    hint: 'Set one (export OPENAI_API_KEY=sk-…), or name a server that needs none: baseURL (or OPENAI_BASE_URL) http://localhost:11434/v1 for Ollama.',
  })
}

function checkURL(text: string): void {
  const url = URL.canParse(text) ? new URL(text) : undefined
  // A host without a scheme parses as a scheme of its own: `localhost:`.
  if (url && /^https?:$/.test(url.protocol) && !url.username && !url.password) return
  const fault = url?.username || url?.password ? 'holds a user name or password' : 'is not an http or https URL'
  throw new CodeActError('MODEL_BASE_URL', `The base URL of the model server ${fault}.`, {
    hint: 'Write it as http://localhost:11434/v1; a secret goes into apiKey or headers.',
  })
}
