import type { ModelDefinition, OpenedReply } from '@codeact/model'
import type { APIPromise } from 'openai'

/** One of the vendor's APIs: how a request is written in it and sent, and how its reply is read. */
export type Api<Body, Event> = Pick<ModelDefinition<Body, Event>, 'write' | 'send' | 'reader' | 'refusedBy'>

/** What the SDK gives for a streamed reply. */
export async function opened<Event>(sent: APIPromise<AsyncIterable<Event>>): Promise<OpenedReply<Event>> {
  const { data, response } = await sent.withResponse()
  return { events: data, contentType: response.headers.get('content-type') }
}
