import { resolveServer, type ServerNames, type ServerSettings } from '@codeact/model'
import type { JsonValue } from '@codeact/spec'

export interface OpenAIOptions {
  /** Which of the vendor's APIs is spoken. Default: `responses` to OpenAI itself, `chat` (Chat Completions) to any other server. */
  readonly api?: 'responses' | 'chat'
  /** Where the server is, mostly up to `/v1`: `http://localhost:11434/v1`. Default: `OPENAI_BASE_URL`, else OpenAI's own. */
  readonly baseURL?: string
  /** Default: `OPENAI_API_KEY`. Without either, a server that `baseURL` names is called with the key `none`. */
  readonly apiKey?: string
  /** Sent with every request, for gateways. */
  readonly headers?: Readonly<Record<string, string>>
  /** How often a call that failed before anything of its reply came is tried again, with growing pauses. Default 2. */
  readonly maxRetries?: number
  /**
   * More fields for the body of every request, in the API's own words: `{ reasoning: { effort: 'low', summary: 'auto' } }`.
   * What the adapter itself writes (`model`, `input`, `messages`, `stream`, …) cannot be replaced, except `prompt_cache_key`.
   * Default: none.
   */
  readonly request?: Readonly<Record<string, JsonValue>>
}

/** The options, with the environment and the defaults filled in. */
export interface Settings extends ServerSettings {
  readonly api: 'responses' | 'chat'
}

/** What is the same in the body of all requests of a model. */
export interface Fields extends Readonly<Record<string, JsonValue>> {
  readonly model: string
}

const NAMES: ServerNames = {
  vendor: 'OpenAI',
  keyVariable: 'OPENAI_API_KEY',
  keyExample: 'sk-…',
  urlVariable: 'OPENAI_BASE_URL',
  url: 'https://api.openai.com/v1',
  urlExample: 'http://localhost:11434/v1',
}

export function resolveSettings(options: OpenAIOptions): Settings {
  const server = resolveServer(options, NAMES)
  return { ...server, api: options.api ?? (isOpenAI(server.baseURL) ? 'responses' : 'chat') }
}

/** OpenAI's own host, or that of one of its regions (eu.api.openai.com). */
function isOpenAI(baseURL: string): boolean {
  return /(^|\.)api\.openai\.com$/.test(new URL(baseURL).hostname)
}
