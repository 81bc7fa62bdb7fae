import { setTimeout as sleep } from 'node:timers/promises'
import { CodeActError } from '@codeact/spec'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { anthropic } from '../src/index.ts'
import { drain, task } from './drain.ts'
import {
  type Answer,
  answered,
  eventStream,
  type MessageServer,
  messageServer,
  reply,
  streamed,
} from './message-server.ts'

/** Says one word and then nothing more, without end. */
const endless: Answer = (response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write(eventStream(reply('word').slice(0, 3)))
}

const later = (pauseMs: number) => answered(429, { error: { message: 'later' } }, { 'retry-after-ms': `${pauseMs}` })

/** A call whose first try has failed. */
async function waitingCall(server: MessageServer): Promise<{ call: Promise<unknown>; abort: () => void }> {
  const controller = new AbortController()
  const call = drain(anthropic('m', { baseURL: server.baseURL }), { signal: controller.signal })
  call.catch(() => {})
  while (server.received.length === 0) await sleep(5)
  await server.received[0]?.closed
  await sleep(20)
  return { call, abort: () => controller.abort() }
}

const unhandled: unknown[] = []
const note = (reason: unknown) => unhandled.push(reason)
beforeEach(() => {
  unhandled.length = 0
  process.on('unhandledRejection', note)
})
afterEach(async () => {
  await new Promise((resolve) => setImmediate(resolve))
  process.off('unhandledRejection', note)
  expect(unhandled).toEqual([])
})

describe('abort', () => {
  test('in mid-stream closes the socket, and the stream says so', async () => {
    await using server = await messageServer(endless)
    const controller = new AbortController()
    const reason = new Error('enough')
    const seen: string[] = []
    const reading = (async () => {
      const stream = anthropic('m', { baseURL: server.baseURL }).stream({
        messages: [task('Hi')],
        signal: controller.signal,
      })
      for await (const event of stream) {
        seen.push(event.type)
        setImmediate(() => controller.abort(reason))
      }
    })()
    await expect(reading).rejects.toMatchObject({ code: 'MODEL_ABORTED', cause: reason })
    expect(seen).toEqual(['text-delta'])
    await server.received[0]?.closed
  })

  test('by leaving the loop closes the socket', async () => {
    await using server = await messageServer(endless)
    for await (const event of anthropic('m', { baseURL: server.baseURL }).stream({ messages: [task('Hi')] })) {
      if (event.type === 'text-delta') break
    }
    await server.received[0]?.closed
  })

  test('while the server has not answered yet closes the socket', async () => {
    const controller = new AbortController()
    await using server = await messageServer(() => controller.abort())
    await expect(
      drain(anthropic('m', { baseURL: server.baseURL }), { signal: controller.signal }),
    ).rejects.toMatchObject({
      code: 'MODEL_ABORTED',
    })
    await server.received[0]?.closed
  })

  test('before the call sends nothing', async () => {
    await using server = await messageServer(streamed(reply('ok')))
    const model = anthropic('m', { baseURL: server.baseURL })
    await expect(drain(model, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'MODEL_ABORTED' })
    expect(server.received.length).toBe(0)
  })

  test('wakes a call that waits for its next try', async () => {
    // Longer than a test may take: without the wake, this one runs out of time.
    await using server = await messageServer(later(50_000))
    const { call, abort } = await waitingCall(server)
    abort()
    await expect(call).rejects.toMatchObject({ code: 'MODEL_ABORTED' })
  })

  test('of a call that waits for its next try: it is not made', async () => {
    await using server = await messageServer(later(300))
    const { call, abort } = await waitingCall(server)
    abort()
    await expect(call).rejects.toMatchObject({ code: 'MODEL_ABORTED' })
    await sleep(900) // three times the pause
    expect(server.received.length).toBe(1)
  })

  test('after a call leaves nothing listening on a signal that lives longer', async () => {
    await using server = await messageServer(streamed(reply('ok')))
    const model = anthropic('m', { baseURL: server.baseURL })
    const { signal } = new AbortController()
    let listeners = 0
    const { addEventListener, removeEventListener } = signal
    signal.addEventListener = (...call: Parameters<typeof addEventListener>) => {
      listeners += 1
      addEventListener.apply(signal, call)
    }
    signal.removeEventListener = (...call: Parameters<typeof removeEventListener>) => {
      listeners -= 1
      removeEventListener.apply(signal, call)
    }
    for (let call = 0; call < 3; call += 1) await drain(model, { signal })
    expect(listeners).toBe(0)
  })

  test('is an error like any other: of the one class', async () => {
    const error = await drain(anthropic('m', { apiKey: 'k' }), { signal: AbortSignal.abort() }).catch(
      (reason) => reason,
    )
    expect(CodeActError.is(error)).toBe(true)
  })
})
