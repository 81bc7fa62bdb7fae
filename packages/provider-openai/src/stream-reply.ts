import type { ModelEvent, ModelRequest } from '@codeact/spec'
import { linkAbort, modelAborted } from './abort.ts'
import type { Api, ReplyReader } from './api.ts'
import { modelError } from './errors.ts'
import { openReply } from './open-reply.ts'
import { RefusedFields } from './refused-fields.ts'
import type { Server } from './server.ts'

type Stream = (request: ModelRequest) => AsyncGenerator<ModelEvent, void, undefined>

/** A model's one method, in one of the APIs. */
export function replyStream<Body extends object, Event>(api: Api<Body, Event>, server: Server, model: string): Stream {
  const refused = new RefusedFields()
  return async function* stream(request) {
    const { signal, release } = linkAbort(request.signal)
    const reader = api.reader()
    try {
      const events = await openReply(api, server, api.write(request), refused, signal)
      yield* readEvents(events, reader)
      if (signal.aborted) throw modelAborted(signal) // the SDK ends an aborted stream as if it were a whole one
      yield* reader.end()
    } catch (error) {
      throw modelError(error, server, model, signal)
    } finally {
      release() // however the loop was left: nothing goes on behind it
    }
  }
}

async function* readEvents<Event>(
  events: AsyncIterable<Event>,
  reader: ReplyReader<Event>,
): AsyncGenerator<ModelEvent, void, undefined> {
  try {
    for await (const event of events) yield* reader.read(event)
  } catch (error) {
    if (!reader.isWhole) throw error // else the connection broke behind the reply: only counts can be missing
  }
}
