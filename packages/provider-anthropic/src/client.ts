import { Anthropic } from '@anthropic-ai/sdk'
import type { ServerSettings } from '@codeact/model'

export function createClient({ baseURL, apiKey, headers }: ServerSettings): Anthropic {
  return new Anthropic({
    baseURL,
    apiKey,
    defaultHeaders: headers,
    maxRetries: 0, // the tries are counted in one place, for all vendors
    // Failures are thrown, with what was wrong; the SDK's own lines in the terminal are for who asked for them.
    logLevel: process.env.ANTHROPIC_LOG ? undefined : 'off',
  })
}
