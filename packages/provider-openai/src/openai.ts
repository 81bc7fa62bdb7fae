import type { LanguageModel } from '@codeact/spec'
import { chatApi } from './chat/chat-api.ts'
import { responsesApi } from './responses/responses-api.ts'
import { createServer } from './server.ts'
import { type OpenAIOptions, resolveSettings } from './settings.ts'
import { replyStream } from './stream-reply.ts'

/**
 * A model of OpenAI, or of any server that speaks its Chat Completions API (Ollama, vLLM, llama.cpp, LM Studio, gateways).
 *
 * OpenAI itself is asked through its Responses API, every other server through Chat Completions; `options.api` overrides.
 * The key is `options.apiKey`, else `OPENAI_API_KEY`; the server `options.baseURL`, else `OPENAI_BASE_URL`, else OpenAI's
 * own. Where a base URL is given, a key is optional.
 *
 * @param model the model's name as the server knows it
 * @throws CodeActError `MODEL_KEY_MISSING` when there is neither a key nor a base URL; `MODEL_BASE_URL` when the base URL
 * is not one
 */
export function openai(model: string, options: OpenAIOptions = {}): LanguageModel {
  const settings = resolveSettings(options)
  const server = createServer(settings)
  const fields = { ...settings.request, model }
  const stream =
    settings.api === 'responses'
      ? replyStream(responsesApi(fields), server, model)
      : replyStream(chatApi(fields), server, model)
  return { id: `openai:${model}`, stream }
}
