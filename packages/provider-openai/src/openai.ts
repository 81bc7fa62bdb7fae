import type { LanguageModel, ModelEvent, ModelRequest } from '@codeact/spec'
import { linkAbort, modelAborted } from './abort.ts'
import { openChat } from './chat.ts'
import { chatRequest } from './chat-request.ts'
import type { Chunk } from './chunk.ts'
import { modelError } from './errors.ts'
import { RefusedFields } from './refused-fields.ts'
import { ReplyReader } from './reply-reader.ts'
import { createServer, type Server } from './server.ts'
import { type OpenAIOptions, resolveSettings } from './settings.ts'

/**
 * A model of OpenAI, or of any server that speaks its Chat Completions API (Ollama, vLLM, llama.cpp, LM Studio, gateways).
 *
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
  const refused = new RefusedFields()
  const fields = { ...settings.request, model }
  return {
    id: `openai:${model}`,
    stream: (request) => streamReply(server, fields, request, refused),
  }
}

async function* streamReply(
  server: Server,
  fields: { readonly model: string },
  request: ModelRequest,
  refused: RefusedFields,
): AsyncGenerator<ModelEvent, void, undefined> {
  const { signal, release } = linkAbort(request.signal)
  const reader = new ReplyReader()
  try {
    const chunks = await openChat(server, chatRequest(fields, request), refused, signal)
    yield* readChunks(chunks, reader)
    if (signal.aborted) throw modelAborted(signal) // the SDK ends an aborted stream as if it were a whole one
    yield* reader.end()
  } catch (error) {
    throw modelError(error, server, fields.model, signal)
  } finally {
    release() // however the loop was left: nothing goes on behind it
  }
}

async function* readChunks(
  chunks: AsyncIterable<Chunk>,
  reader: ReplyReader,
): AsyncGenerator<ModelEvent, void, undefined> {
  try {
    for await (const chunk of chunks) yield* reader.read(chunk)
  } catch (error) {
    if (!reader.isWhole) throw error // else the connection broke behind the reply: only counts can be missing
  }
}
