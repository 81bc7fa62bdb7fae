import type { ModelEvent } from '@codeact/spec'
import type { Call } from './call.ts'
import type { EndedReply, ModelDefinition, OpenedReply, ReplyReader } from './definition.ts'
import { ModelFault } from './fault.ts'

/** How far a try has come. */
export interface Progress {
  /** The server has begun to answer. */
  hasBegun: boolean
  hasEvents: boolean
  /** Something was told: another try would tell it again. */
  hasSpoken: boolean
}

/** One try: the request, its reply as it comes, and the end. A caller that has heard enough gets the end at once. */
export async function* listen<Body, Event>(
  definition: ModelDefinition<Body, Event>,
  body: Body,
  call: Call,
  progress: Progress,
): AsyncGenerator<ModelEvent, void, undefined> {
  const reader = definition.reader()
  try {
    if (!call.hasEnough) {
      for await (const told of hear(definition.send(body, call.signal), reader, call, progress)) {
        progress.hasSpoken = true
        yield told
      }
    }
  } catch (error) {
    // Behind a whole reply only counts can be missing.
    if (!reader.isWhole && !call.hasEnough) throw error
  }
  call.throwIfAborted() // an SDK may end an aborted stream as if it were a whole one
  if (call.hasEnough && !reader.isWhole) yield* leave(reader, call)
  else yield* end(reader.end())
}

async function* hear<Event>(
  sent: Promise<OpenedReply<Event>>,
  reader: ReplyReader<Event>,
  call: Call,
  progress: Progress,
): AsyncGenerator<ModelEvent, void, undefined> {
  const { events, contentType } = await call.wait(sent)
  progress.hasBegun = true
  try {
    for await (const event of eventsOf(events, reader, call)) {
      progress.hasEvents = true
      yield* reader.read(event)
    }
  } catch (error) {
    throw isDocument(contentType, progress) ? notAStream(contentType) : error
  }
  if (!reader.isWhole && !call.hasEnough && isDocument(contentType, progress)) throw notAStream(contentType)
}

/** The events as they come. Whoever leaves early is not kept waiting for the stream to close. */
async function* eventsOf<Event>(
  events: AsyncIterable<Event>,
  reader: ReplyReader<Event>,
  call: Call,
): AsyncGenerator<Event, void, undefined> {
  const iterator = events[Symbol.asyncIterator]()
  try {
    while (reader.isWhole || !call.hasEnough) {
      const { done, value } = await call.wait(iterator.next(), reader.isWhole)
      if (done === true) return
      yield value
    }
  } finally {
    void Promise.resolve(iterator.return?.()).catch(() => {})
  }
}

/** What a page or a document comes as, in place of a stream. It reads as a stream without a word, if not without an event. */
const DOCUMENT = /^(text\/(html|plain|xml)|application\/(json|xml))\b/

function isDocument(type: string | null | undefined, { hasEvents, hasSpoken }: Progress): boolean {
  if (type === undefined || hasSpoken) return false
  return type === null ? !hasEvents : DOCUMENT.test(type)
}

function notAStream(contentType: string | null | undefined): ModelFault {
  const words = `${contentType ?? 'something without a type'} in place of a stream`
  return new ModelFault({ means: 'bad-response', words })
}

function* end({ events = [], content, finish, reason = '', usage }: EndedReply): Generator<ModelEvent> {
  if (finish === undefined) throw new ModelFault({ means: 'stream-cut', words: reason })
  yield* events
  yield { type: 'end', message: { role: 'assistant', content }, finish, usage }
}

/** As if a stop sequence had ended it. The connection is closed by then. */
function* leave<Event>(reader: ReplyReader<Event>, call: Call): Generator<ModelEvent> {
  call.end()
  const { events = [], content, usage } = reader.leave()
  yield* events
  const message = { role: 'assistant', content } as const
  yield { type: 'end', message, finish: 'stop-sequence', usage: { ...usage, isPartial: true } }
}
