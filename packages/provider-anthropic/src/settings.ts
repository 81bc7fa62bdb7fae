import { resolveServer, type ServerNames, type ServerSettings } from '@codeact/model'
import type { JsonValue } from '@codeact/spec'

export interface AnthropicOptions {
  /** Where the server is, up to where `/v1/messages` begins. Default: `ANTHROPIC_BASE_URL`, else Anthropic's own. */
  readonly baseURL?: string
  /** Default: `ANTHROPIC_API_KEY`. Without either, a server that `baseURL` names is called with the key `none`. */
  readonly apiKey?: string
  /** Sent with every request, for gateways and for betas. */
  readonly headers?: Readonly<Record<string, string>>
  /** How often a call that failed before anything of its reply came is tried again, with growing pauses. Default 2. */
  readonly maxRetries?: number
  /**
   * More fields for the body of every request, in the API's own words: `{ max_tokens: 8000, thinking: { type: 'adaptive' } }`.
   * What the adapter itself writes (`model`, `messages`, `system`, `stream`, …) cannot be replaced. Default: none, but for
   * `max_tokens: 32000`, for the API asks for one.
   */
  readonly request?: Readonly<Record<string, JsonValue>>
}

const NAMES: ServerNames = {
  vendor: 'Anthropic',
  keyVariable: 'ANTHROPIC_API_KEY',
  keyExample: 'sk-ant-…',
  urlVariable: 'ANTHROPIC_BASE_URL',
  url: 'https://api.anthropic.com',
  urlExample: 'http://localhost:8080, without /v1',
}

export function resolveSettings(options: AnthropicOptions): ServerSettings {
  return resolveServer(options, NAMES)
}
