import { defineModel } from '@codeact/model'
import type { LanguageModel } from '@codeact/spec'
import { createClient } from './client.ts'
import { messageRequest, refusedFields } from './message-request.ts'
import { MessageReader } from './reply-reader.ts'
import { type AnthropicOptions, resolveSettings } from './settings.ts'
import { vendorOf } from './vendor.ts'

/** The API asks for a limit. This is the most that every model since Claude 4 accepts; thinking counts towards it. */
const MAX_TOKENS = 32_000

/**
 * A model of Anthropic, or of any server that speaks its Messages API.
 *
 * The key is `options.apiKey`, else `ANTHROPIC_API_KEY`; the server `options.baseURL`, else `ANTHROPIC_BASE_URL`, else
 * Anthropic's own. Where a base URL is given, a key is optional.
 *
 * @param model the model's name as the server knows it
 * @throws CodeActError `MODEL_KEY_MISSING` when there is neither a key nor a base URL; `MODEL_AUTH` when the key cannot be
 * one; `MODEL_BASE_URL` when the base URL is not one
 */
export function anthropic(model: string, options: AnthropicOptions = {}): LanguageModel {
  const settings = resolveSettings(options)
  const client = createClient(settings)
  const fields = { max_tokens: MAX_TOKENS, ...settings.request, model }
  return defineModel({
    id: `anthropic:${model}`,
    vendor: vendorOf(settings, model),
    maxRetries: settings.maxRetries,
    write: (request, without) => messageRequest(fields, request, without),
    send: async (body, signal) => {
      const { data, response } = await client.messages.create(body, { signal }).withResponse()
      return { events: data, contentType: response.headers.get('content-type') }
    },
    reader: () => new MessageReader(model),
    refusedBy: refusedFields,
  })
}
