import { setTimeout as sleep } from 'node:timers/promises'
import { CodeActError, type LanguageModel, type ModelEvent } from '@codeact/spec'
import { expect } from 'vitest'
import { failureOf } from './failure.ts'
import { drain, task } from './hear.ts'
import { closed, type ModelServer } from './model-server.ts'
import { plain, type Subject } from './subject.ts'
import { begun } from './wire.ts'

/** A pause that no test lasts for. */
const LONG_MS = 50_000

/** Where a server must see its connection closed, a case that never sees it runs out of time. */
export function abortCases(subject: Subject): void {
  const endless = () => begun(subject.until('word', plain('word')))
  const busy = (pauseMs: number) => subject.fails('rate limit', 'later', { 'retry-after-ms': `${pauseMs}` })

  subject.group(
    'abort',
    (it) => {
      it('before the call sends nothing', async () => {
        await using server = await subject.serve(subject.says('ok'))
        const error = await failureOf(drain(subject.model(server), { signal: AbortSignal.abort() }))
        expect(error.code).toBe('MODEL_ABORTED')
        expect(server.received.length).toBe(0)
      })

      it('while the server has not answered yet closes the socket', async () => {
        const controller = new AbortController()
        await using server = await subject.serve(() => controller.abort())
        const error = await failureOf(drain(subject.model(server), { signal: controller.signal }))
        expect(error.code).toBe('MODEL_ABORTED')
        await closed(server)
      })

      it('in mid-stream closes the socket at once, and the stream says so', async () => {
        await using server = await subject.serve(endless())
        const controller = new AbortController()
        const reason = new Error('that will do')
        const seen: ModelEvent[] = []
        const error = await failureOf(
          listen(subject.model(server), { signal: controller.signal }, (event) => {
            seen.push(event)
            setImmediate(() => controller.abort(reason))
          }),
        )
        expect(error).toMatchObject({ code: 'MODEL_ABORTED', isRetryable: false, cause: reason })
        expect(seen).toEqual([{ type: 'text-delta', text: 'word' }])
        await closed(server)
      })

      it('wakes a call that waits for its next try, which is not made', async () => {
        await using server = await subject.serve(busy(LONG_MS))
        const { call, abort } = await waiting(server)
        abort()
        expect((await failureOf(call)).code).toBe('MODEL_ABORTED')
        await using other = await subject.serve(busy(200))
        const short = await waiting(other)
        short.abort()
        expect((await failureOf(short.call)).code).toBe('MODEL_ABORTED')
        await sleep(500) // the pause, and as much again
        expect(other.received.length).toBe(1)
      })

      it('leaves nothing listening on a signal that lives longer, and no rejection behind', async () => {
        const unhandled: unknown[] = []
        const note = (reason: unknown) => unhandled.push(reason)
        process.on('unhandledRejection', note)
        await using server = await subject.serve(subject.says('ok'), subject.says('ok'), endless())
        const model = subject.model(server)
        const { signal, abort, listeners } = countedSignal()
        for (let call = 0; call < 2; call += 1) await drain(model, { signal })
        expect(listeners()).toBe(0)
        const error = await failureOf(listen(model, { signal }, abort))
        expect(CodeActError.is(error)).toBe(true)
        await sleep(20)
        process.off('unhandledRejection', note)
        expect(unhandled).toEqual([])
      })
    },
    { isConcurrent: true },
  )

  subject.group('leaving the loop', (it) => {
    it('closes the socket', async () => {
      await using server = await subject.serve(endless())
      for await (const event of subject.model(server).stream({ messages: [task('Hi')] })) {
        if (event.type === 'text-delta') break
      }
      await closed(server)
    })

    it('by an exception closes the socket, and the exception stays what it was', async () => {
      await using server = await subject.serve(endless())
      const mine = new Error('mine')
      const reading = listen(subject.model(server), {}, () => {
        throw mine
      })
      await expect(reading).rejects.toBe(mine)
      await closed(server)
    })

    it('before the first event sends nothing', async () => {
      await using server = await subject.serve(subject.says('ok'))
      const model = subject.model(server)
      const iterator = model.stream({ messages: [task('Hi')] })[Symbol.asyncIterator]()
      await iterator.return?.()
      expect(await iterator.next()).toMatchObject({ done: true })
      await drain(model)
      expect(server.received.length).toBe(1)
    })
  })

  /** A call whose first try has failed. */
  async function waiting(server: ModelServer): Promise<{ call: Promise<unknown>; abort: () => void }> {
    const controller = new AbortController()
    const call = drain(subject.model(server), { signal: controller.signal })
    call.catch(() => {})
    while (server.received.length === 0) await sleep(5)
    await closed(server)
    await sleep(20)
    return { call, abort: () => controller.abort() }
  }
}

async function listen(
  model: LanguageModel,
  { signal }: { readonly signal?: AbortSignal },
  hear: (event: ModelEvent) => void,
): Promise<void> {
  for await (const event of model.stream({ messages: [task('Hi')], signal })) hear(event)
}

/** A signal that counts who listens to it. */
function countedSignal(): { signal: AbortSignal; abort: () => void; listeners: () => number } {
  const controller = new AbortController()
  const { signal } = controller
  let count = 0
  const { addEventListener, removeEventListener } = signal
  signal.addEventListener = (...call: Parameters<typeof addEventListener>) => {
    count += 1
    addEventListener.apply(signal, call)
  }
  signal.removeEventListener = (...call: Parameters<typeof removeEventListener>) => {
    count -= 1
    removeEventListener.apply(signal, call)
  }
  return { signal, abort: () => controller.abort(), listeners: () => count }
}
