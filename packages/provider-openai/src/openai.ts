import { defineModel } from '@codeact/model'
import type { LanguageModel } from '@codeact/spec'
import { chatApi } from './chat/chat-api.ts'
import { createClient } from './client.ts'
import { responsesApi } from './responses/responses-api.ts'
import { type OpenAIOptions, resolveSettings } from './settings.ts'
import { vendorOf } from './vendor.ts'

/**
 * A model of OpenAI, or of any server that speaks its Chat Completions API (Ollama, vLLM, llama.cpp, LM Studio, gateways).
 *
 * OpenAI itself is asked through its Responses API, every other server through Chat Completions; `options.api` overrides.
 * The key is `options.apiKey`, else `OPENAI_API_KEY`; the server `options.baseURL`, else `OPENAI_BASE_URL`, else OpenAI's
 * own. Where a base URL is given, a key is optional.
 *
 * @param model the model's name as the server knows it
 * @throws CodeActError `MODEL_KEY_MISSING` when there is neither a key nor a base URL; `MODEL_AUTH` when the key cannot be
 * one; `MODEL_BASE_URL` when the base URL is not one
 */
export function openai(model: string, options: OpenAIOptions = {}): LanguageModel {
  const settings = resolveSettings(options)
  const { api, maxRetries } = settings
  const client = createClient(settings)
  const fields = { ...settings.request, model }
  const common = { id: `openai:${model}`, vendor: vendorOf(settings, model), maxRetries }
  return api === 'responses'
    ? defineModel({ ...common, ...responsesApi(client, fields) })
    : defineModel({ ...common, ...chatApi(client, fields) })
}
