import type { Anthropic } from '@anthropic-ai/sdk'
import { ask, ModelFault } from '@codeact/model'
import { createClient } from './client.ts'
import { type AnthropicOptions, resolveSettings } from './settings.ts'
import { vendorOf } from './vendor.ts'

/**
 * The names of the models that the server lists, in its order: newest first. Takes the options of `anthropic()`.
 *
 * @throws CodeActError as a call to a model does
 */
export async function listModels(options: AnthropicOptions = {}): Promise<readonly string[]> {
  const settings = resolveSettings(options)
  const client = createClient(settings)
  return await ask(vendorOf(settings), (signal) => namesOf(client, signal), { maxRetries: settings.maxRetries })
}

async function namesOf(client: Anthropic, signal: AbortSignal): Promise<string[]> {
  const names: string[] = []
  for await (const { id } of client.models.list({ limit: 1000 }, { signal })) names.push(id)
  if (names.length === 0) throw new ModelFault({ means: 'bad-response', words: 'it lists no models' })
  return names
}
