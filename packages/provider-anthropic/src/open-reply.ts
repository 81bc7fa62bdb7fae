import { type ModelRequest, orAborted } from '@codeact/spec'
import { modelAborted } from './abort.ts'
import { notAStream } from './errors.ts'
import { type Fields, type MessageRequest, messageRequest } from './message-request.ts'
import type { Refused } from './refused.ts'
import type { Server } from './server.ts'
import type { StreamEvent } from './stream-event.ts'

/** Opens a reply. A request that is refused for a field it can do without is sent again without it. */
export async function openReply(
  server: Server,
  fields: Fields,
  request: ModelRequest,
  refused: Refused,
  signal: AbortSignal,
): Promise<AsyncIterable<StreamEvent>> {
  for (;;) {
    const without = refused.fields
    try {
      return await openOnce(server, messageRequest(fields, request, without), signal)
    } catch (error) {
      if (!refused.learn(error, without)) throw error
    }
  }
}

async function openOnce(
  server: Server,
  request: MessageRequest,
  signal: AbortSignal,
): Promise<AsyncIterable<StreamEvent>> {
  const call = server.client.messages.create(request, { signal }).withResponse()
  // Whatever the SDK is doing then, a pause between tries or a slow answer, an abort does not wait for it.
  const { data, response } = await orAborted(call, signal, () => modelAborted(signal))
  return checked(data, response, server)
}

/** A page or a document in place of a stream reads as a stream without a single event. */
async function* checked(
  events: AsyncIterable<StreamEvent>,
  { headers }: Response,
  { baseURL }: Server,
): AsyncGenerator<StreamEvent, void, undefined> {
  let isEmpty = true
  for await (const event of events) {
    isEmpty = false
    yield event
  }
  const contentType = headers.get('content-type') ?? 'something without a type'
  if (isEmpty && !contentType.startsWith('text/event-stream')) throw notAStream(baseURL, contentType)
}
