import { withLog } from './error.ts'
import type { CodeActEvent } from './event.ts'
import { eventsAsSse, type SseOptions } from './server-sent-events.ts'
import { streamOf } from './stream-of.ts'

/** The work of a run: it emits events as it goes, and stops soon after `signal` aborts. */
export type RunBody<Event, Result> = (emit: (event: Event) => void, signal: AbortSignal) => Promise<Result>

/**
 * A whole task or cell: `await` it for the result, or iterate it for the events, or both, as often as you like.
 *
 * It starts once, by itself, in a microtask, whoever listens. Each iterator replays from the first event and throws the
 * failure at its end; taking one counts as handling the rejection. `break` detaches a listener; `abort()` stops the run.
 * Nothing waits for a slow listener.
 */
export class Run<Event extends CodeActEvent, Result> implements Promise<Result>, AsyncIterable<Event> {
  readonly [Symbol.toStringTag] = 'Run'
  readonly #events: Event[] = []
  readonly #controller = new AbortController()
  readonly #result: Promise<Result>
  #isOver = false
  #wake: PromiseWithResolvers<void> | undefined

  constructor(body: RunBody<Event, Result>) {
    this.#result = Promise.resolve()
      .then(() => body((event) => this.#emit(event), this.#controller.signal))
      .catch((error: unknown) => Promise.reject(withLog(error, this.#events)))
      .finally(() => this.#end())
  }

  /** Stops the run. A run that is stopped resolves, and says so in its result. */
  abort(reason?: unknown): void {
    this.#controller.abort(reason)
  }

  // biome-ignore lint/suspicious/noThenProperty: a run is a promise by design
  then<A = Result, B = never>(
    onFulfilled?: ((result: Result) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#result.then(onFulfilled, onRejected)
  }

  catch<B = never>(onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null): Promise<Result | B> {
    return this.#result.catch(onRejected)
  }

  finally(onFinally?: (() => void) | null): Promise<Result> {
    return this.#result.finally(onFinally)
  }

  [Symbol.asyncIterator](): AsyncIterableIterator<Event> {
    // The iterator throws the failure to its own listener, so it no longer counts as unhandled here.
    this.#result.catch(() => {})
    return this.#replay()
  }

  /** The events as a web stream of objects. It fails as the run does; cancelling it detaches it, and the run goes on. */
  toReadableStream(): ReadableStream<Event> {
    return streamOf(this)
  }

  /**
   * The events as server-sent events, ready to be the body of a response of the type `text/event-stream`. Each is one `data`
   * of JSON, with its `seq` as the id; a failure is the last, named `failure`. Cancelling detaches, as with any listener.
   */
  toEventStream(options: SseOptions = {}): ReadableStream<Uint8Array> {
    return streamOf(eventsAsSse(this, options))
  }

  async *#replay(): AsyncGenerator<Event, void, undefined> {
    for (let next = 0; ; ) {
      while (next < this.#events.length) yield this.#events[next++] as Event
      if (this.#isOver) break
      this.#wake ??= resolvers()
      await this.#wake.promise
    }
    await this.#result
  }

  #emit(event: Event): void {
    if (this.#isOver) return
    this.#events.push(event)
    this.#stir()
  }

  #end(): void {
    this.#isOver = true
    this.#stir()
  }

  #stir(): void {
    this.#wake?.resolve()
    this.#wake = undefined
  }
}

interface PromiseWithResolvers<T> {
  readonly promise: Promise<T>
  readonly resolve: (value: T | PromiseLike<T>) => void
}

// Promise.withResolvers is not there on Node 20.
function resolvers(): PromiseWithResolvers<void> {
  let resolve: (value: void | PromiseLike<void>) => void = () => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}
