import { Anthropic } from '@anthropic-ai/sdk'
import { fetchForSdk } from './fetch.ts'
import { redactor } from './redact.ts'
import type { Settings } from './settings.ts'

/** The server of one model object, and how to speak of it without giving a secret away. */
export interface Server {
  readonly client: Anthropic
  readonly baseURL: string
  readonly hasKey: boolean
  readonly redact: (text: string) => string
}

export function createServer(settings: Settings): Server {
  const { baseURL, apiKey, hasKey, headers, maxRetries } = settings
  const client = new Anthropic({
    baseURL,
    apiKey,
    maxRetries,
    defaultHeaders: headers,
    fetch: fetchForSdk,
    // Failures are thrown, with what was wrong; the SDK's own lines in the terminal are for who asked for them.
    logLevel: process.env.ANTHROPIC_LOG ? undefined : 'off',
  })
  const redact = redactor([...(hasKey ? [apiKey] : []), ...Object.values(headers)])
  return { client, baseURL: redact(baseURL), hasKey, redact }
}
