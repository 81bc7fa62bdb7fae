import { orAborted } from '@codeact/spec'
import { modelAborted } from './abort.ts'
import type { Api } from './api.ts'
import { notAStream } from './errors.ts'
import type { RefusedFields } from './refused-fields.ts'
import type { Server } from './server.ts'

/** Opens a reply. A request that is refused for a field it can do without is sent again without it. */
export async function openReply<Body extends object, Event>(
  api: Api<Body, Event>,
  server: Server,
  body: Body,
  refused: RefusedFields,
  signal: AbortSignal,
): Promise<AsyncIterable<Event>> {
  for (;;) {
    const sent = refused.strip(body)
    try {
      return await openOnce(api, server, sent, signal)
    } catch (error) {
      if (!refused.learn(error, sent)) throw error
    }
  }
}

async function openOnce<Body, Event>(
  api: Api<Body, Event>,
  server: Server,
  body: Body,
  signal: AbortSignal,
): Promise<AsyncIterable<Event>> {
  // The SDK does not wake from its pauses between tries.
  const { data, response } = await orAborted(api.send(server.client, body, signal), signal, () => modelAborted(signal))
  return checked(data, response, server)
}

/** A page or a document in place of a stream reads as a stream without a single event. */
async function* checked<Event>(
  events: AsyncIterable<Event>,
  { headers }: Response,
  { baseURL }: Server,
): AsyncGenerator<Event, void, undefined> {
  let isEmpty = true
  for await (const event of events) {
    isEmpty = false
    yield event
  }
  const contentType = headers.get('content-type') ?? 'something without a type'
  if (isEmpty && !contentType.startsWith('text/event-stream')) throw notAStream(baseURL, contentType)
}
