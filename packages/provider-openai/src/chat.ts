import { orAborted } from '@codeact/spec'
import { modelAborted } from './abort.ts'
import type { ChatRequest } from './chat-request.ts'
import type { Chunk } from './chunk.ts'
import { notAStream } from './errors.ts'
import type { RefusedFields } from './refused-fields.ts'
import type { Server } from './server.ts'

/** Opens a reply. A request that is refused for a field it can do without is sent again without it. */
export async function openChat(
  server: Server,
  request: ChatRequest,
  refused: RefusedFields,
  signal: AbortSignal,
): Promise<AsyncIterable<Chunk>> {
  for (;;) {
    const sent = refused.strip(request)
    try {
      return await openOnce(server, sent, signal)
    } catch (error) {
      if (!refused.learn(error, sent)) throw error
    }
  }
}

async function openOnce(server: Server, request: ChatRequest, signal: AbortSignal): Promise<AsyncIterable<Chunk>> {
  const call = server.client.chat.completions.create(request, { signal }).withResponse()
  // The SDK does not wake from its pauses between tries.
  const { data, response } = await orAborted(call, signal, () => modelAborted(signal))
  return checked(data, response, server)
}

/** A page or a document in place of a stream reads as a stream without a single chunk. */
async function* checked(
  chunks: AsyncIterable<Chunk>,
  { headers }: Response,
  { baseURL }: Server,
): AsyncGenerator<Chunk, void, undefined> {
  let isEmpty = true
  for await (const chunk of chunks) {
    isEmpty = false
    yield chunk
  }
  const contentType = headers.get('content-type') ?? 'something without a type'
  if (isEmpty && !contentType.startsWith('text/event-stream')) throw notAStream(baseURL, contentType)
}
