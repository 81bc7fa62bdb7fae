import { ask, ModelFault } from '@codeact/model'
import type { OpenAI } from 'openai'
import { createClient } from './client.ts'
import { type OpenAIOptions, resolveSettings } from './settings.ts'
import { vendorOf } from './vendor.ts'

/** Where the models are, as for `openai()`. */
export interface ListModelsOptions extends Pick<OpenAIOptions, 'baseURL' | 'apiKey' | 'headers' | 'maxRetries'> {
  readonly signal?: AbortSignal
}

/**
 * The names of the models that the server lists, sorted: what `openai()` takes as its first argument.
 *
 * @throws CodeActError as `openai()` and its streams do
 */
export async function listModels(options: ListModelsOptions = {}): Promise<readonly string[]> {
  const settings = resolveSettings(options)
  const client = createClient(settings)
  const { maxRetries } = settings
  return await ask(vendorOf(settings), (signal) => namesOf(client, signal), { signal: options.signal, maxRetries })
}

async function namesOf(client: OpenAI, signal: AbortSignal): Promise<string[]> {
  const { data, response } = await client.models.list({ signal }).withResponse()
  const contentType = response.headers.get('content-type') ?? 'something without a type'
  if (!contentType.includes('json')) {
    throw new ModelFault({ means: 'bad-response', words: `${contentType} in place of a list of models` })
  }
  const names: string[] = []
  for await (const { id } of data) names.push(id)
  return names.sort()
}
