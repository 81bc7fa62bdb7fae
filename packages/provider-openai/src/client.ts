import type { ServerSettings } from '@codeact/model'
import { OpenAI } from 'openai'
import { fetchForSdk } from './fetch.ts'

export function createClient({ baseURL, apiKey, headers }: ServerSettings): OpenAI {
  return new OpenAI({
    baseURL,
    apiKey,
    defaultHeaders: headers,
    fetch: fetchForSdk,
    maxRetries: 0, // the tries are counted in one place, for all vendors
    // Failures are thrown, with what was wrong; the SDK's own lines in the terminal are for who asked for them.
    logLevel: process.env.OPENAI_LOG ? undefined : 'off',
  })
}
