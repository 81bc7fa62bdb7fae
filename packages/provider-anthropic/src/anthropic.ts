import type { LanguageModel, ModelEvent, ModelRequest } from '@codeact/spec'
import { linkAbort, modelAborted } from './abort.ts'
import { modelError } from './errors.ts'
import type { Fields } from './message-request.ts'
import { openReply } from './open-reply.ts'
import { Refused } from './refused.ts'
import { ReplyReader } from './reply-reader.ts'
import { createServer, type Server } from './server.ts'
import { type AnthropicOptions, resolveSettings } from './settings.ts'
import type { StreamEvent } from './stream-event.ts'

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
  const server = createServer(settings)
  const refused = new Refused()
  const fields = { max_tokens: MAX_TOKENS, ...settings.request, model }
  return {
    id: `anthropic:${model}`,
    stream: (request) => streamReply(server, fields, request, refused),
  }
}

async function* streamReply(
  server: Server,
  fields: Fields,
  request: ModelRequest,
  refused: Refused,
): AsyncGenerator<ModelEvent, void, undefined> {
  const { signal, release } = linkAbort(request.signal)
  const reader = new ReplyReader(fields.model)
  try {
    const events = await openReply(server, fields, request, refused, signal)
    yield* readEvents(events, reader)
    if (signal.aborted) throw modelAborted(signal) // the SDK ends an aborted stream as if it were a whole one
    yield* reader.end()
  } catch (error) {
    throw modelError(error, server, fields.model, signal)
  } finally {
    release() // however the loop was left: nothing goes on behind it
  }
}

async function* readEvents(
  events: AsyncIterable<StreamEvent>,
  reader: ReplyReader,
): AsyncGenerator<ModelEvent, void, undefined> {
  try {
    for await (const event of events) yield* reader.read(event)
  } catch (error) {
    if (!reader.isWhole) throw error // else the connection broke behind the reply: nothing is missing
  }
}
