import {
  type Action,
  type ActionEvent,
  type ActionReader,
  type AssistantMessage,
  CodeActError,
  type Finish,
  type LanguageModel,
  type ModelEvent,
  newId,
  type Usage,
} from '@codeact/spec'
import { NO_USAGE } from '../usage.ts'
import type { LoopContext } from './context.ts'
import { ContinuedReader, isCut } from './cut-code.ts'
import { untilEnough } from './enough.ts'
import { orStopped, type Scope, Stopped } from './scope.ts'
import { withMissing } from './transcript.ts'

/** A reply, as heard and as read. */
export interface Reply {
  readonly message: AssistantMessage
  readonly finish: Finish
  readonly usage: Usage
  readonly actions: readonly Action[]
  /** What was said outside code. */
  readonly text: string
  /** All that was read: what was said, and where it went on with a block that had been cut, that before it. */
  readonly heard: string
}

/** Called when the reply shows what is coming, so that a sandbox can open meanwhile. */
export interface ReplyWatcher {
  onFirstToken(): void
  onCode(): void
}

/**
 * One model call: the reply streams through the parser's reader, and each piece becomes an event as it comes.
 *
 * @param open what came before, when it was cut inside a block that this reply goes on with
 */
export async function askModel(context: LoopContext, scope: Scope, step: string, open?: string): Promise<Reply> {
  const { model, sandbox } = context
  const id = newId('model')
  const heard = new Heard(id, scope, sandbox.watcher(scope))
  const span = { type: 'model-end', id, parent: step } as const
  scope.emit({ type: 'model-start', id, parent: step, model: model.id })
  try {
    const reply = await listen(context, heard, scope, open)
    scope.emit({ ...span, message: reply.message, finish: reply.finish, usage: reply.usage })
    return reply
  } catch (error) {
    const stopped = scope.signal.aborted
    const how = stopped ? { finish: 'aborted' as const } : { finish: 'error' as const, error: CodeActError.json(error) }
    scope.emit({ ...span, message: heard.soFar(), usage: NO_USAGE, ...how })
    throw stopped ? new Stopped() : error
  }
}

async function listen(context: LoopContext, heard: Heard, scope: Scope, open: string | undefined): Promise<Reply> {
  const { model, parser, transcript, prompt } = context
  const reader = open === undefined ? parser.start(prompt) : new ContinuedReader(parser, prompt, open)
  const { messages } = transcript
  const tools = parser.tools?.(prompt)
  const enough = new AbortController()
  const calls = { signal: scope.signal, enough: enough.signal }
  const request = { messages, stop: parser.stop, ...calls, ...(tools === undefined ? {} : { tools }) }
  const stream = model.stream(request)[Symbol.asyncIterator]()
  try {
    for (;;) {
      const { value: event, done } = await orStopped(scope, stream.next())
      if (done === true) throw cutShort(model)
      heard.hear(event)
      if (reader.enough === undefined) heard.read(reader.feed(event))
      if (reader.enough !== undefined && parser.rest !== 'drain') enough.abort()
      if (event.type !== 'end') continue
      heard.read(reader.end(isCut(event.finish) ? 'length' : event.finish))
      return heard.reply(event, reader)
    }
  } catch (error) {
    // A block that was begun is told as far as it came.
    heard.read(reader.end('length'))
    throw error
  } finally {
    // A stream that is left early is told so; it is not waited for.
    void Promise.resolve(stream.return?.()).catch(() => {})
  }
}

function cutShort({ id }: LanguageModel): CodeActError {
  return new CodeActError('MODEL_STREAM_CUT', `${id} stopped in the middle of a reply.`, { isRetryable: true })
}

/** What has come of a reply so far. */
class Heard {
  readonly #id: string
  readonly #scope: Scope
  readonly #watcher: ReplyWatcher
  readonly #actions: Action[] = []
  #text = ''
  #raw = ''

  constructor(id: string, scope: Scope, watcher: ReplyWatcher) {
    this.#id = id
    this.#scope = scope
    this.#watcher = watcher
  }

  hear(event: ModelEvent): void {
    this.#watcher.onFirstToken()
    if (event.type === 'text-delta') this.#raw += event.text
    if (event.type === 'reasoning-delta') this.#scope.emit({ type: 'reasoning-delta', id: this.#id, text: event.text })
  }

  read(events: readonly ActionEvent[]): void {
    for (const event of events) this.#take(event)
  }

  #take(event: ActionEvent): void {
    const { emit } = this.#scope
    if (event.type === 'text') {
      this.#text += event.text
      emit({ type: 'text-delta', id: this.#id, text: event.text })
    } else if (event.type === 'action') {
      this.#actions.push(event.action)
    } else {
      if (event.type === 'code-start') this.#watcher.onCode()
      if (event.type === 'code-end') this.#actions.push(event.action)
      emit({ ...event, parent: this.#id })
    }
  }

  reply(end: Extract<ModelEvent, { type: 'end' }>, reader: ActionReader): Reply {
    const { message, finish } = untilEnough(end, reader.enough)
    const heard = reader instanceof ContinuedReader ? reader.text : this.#raw
    const read = { actions: this.#actions, text: this.#text, heard }
    return { message: withMissing(message, reader.missing), finish, usage: end.usage, ...read }
  }

  soFar(): AssistantMessage {
    return { role: 'assistant', content: this.#raw === '' ? [] : [{ type: 'text', text: this.#raw }] }
  }
}
