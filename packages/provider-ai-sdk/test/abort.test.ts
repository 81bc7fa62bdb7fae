import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { aiSdk } from '../src/index.ts'
import { type Answer, answered, chatServer, chunk, reply, streamed } from './chat-server.ts'
import { drain, task } from './drain.ts'
import { fake, makers } from './models.ts'

/** Says one word and then nothing more, without end. */
const endless: Answer = (response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write(`data: ${JSON.stringify(chunk({ content: 'word' }))}\n\n`)
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

describe.each(makers)('abort of a model of specification %s', (_version, make) => {
  test('in mid-stream closes the socket, and the stream says so', async () => {
    await using server = await chatServer(endless)
    const controller = new AbortController()
    const reason = new Error('enough')
    const seen: string[] = []
    const reading = (async () => {
      for await (const event of aiSdk(make(server)).stream({ messages: [task('Hi')], signal: controller.signal })) {
        seen.push(event.type)
        setImmediate(() => controller.abort(reason))
      }
    })()
    await expect(reading).rejects.toMatchObject({ code: 'MODEL_ABORTED', cause: reason })
    expect(seen).toEqual(['text-delta'])
    await server.received[0]?.closed
  })

  test('by leaving the loop closes the socket', async () => {
    await using server = await chatServer(endless)
    for await (const event of aiSdk(make(server)).stream({ messages: [task('Hi')] })) {
      if (event.type === 'text-delta') break
    }
    await server.received[0]?.closed
  })

  test('while the server has not answered yet closes the socket', async () => {
    const controller = new AbortController()
    await using server = await chatServer(() => controller.abort())
    const call = drain(aiSdk(make(server)), { signal: controller.signal })
    await expect(call).rejects.toMatchObject({ code: 'MODEL_ABORTED' })
    await server.received[0]?.closed
  })

  test('before the call sends nothing', async () => {
    await using server = await chatServer(streamed(reply('ok')))
    const call = drain(aiSdk(make(server)), { signal: AbortSignal.abort() })
    await expect(call).rejects.toMatchObject({ code: 'MODEL_ABORTED' })
    expect(server.received.length).toBe(0)
  })

  test('wakes a call that waits for its next try, and that one is not made', async () => {
    // Longer than a test may take: without the wake, this one runs out of time.
    await using server = await chatServer(answered(429, { error: { message: 'later' } }, { 'retry-after-ms': '50000' }))
    const controller = new AbortController()
    const call = drain(aiSdk(make(server)), { signal: controller.signal })
    call.catch(() => {})
    while (server.received.length === 0) await sleep(5)
    await sleep(50)
    controller.abort()
    await expect(call).rejects.toMatchObject({ code: 'MODEL_ABORTED' })
    expect(server.received.length).toBe(1)
  })
})

describe('a stream that does not look at the signal itself', () => {
  const parts = [{ type: 'text-delta', id: '1', delta: 'a' }, 'hang']

  test('is cancelled at the abort', async () => {
    const made = fake('v3', parts)
    const controller = new AbortController()
    const reading = (async () => {
      for await (const _ of aiSdk(made.model).stream({ messages: [], signal: controller.signal })) controller.abort()
    })()
    await expect(reading).rejects.toMatchObject({ code: 'MODEL_ABORTED' })
    expect(made.isCancelled).toBe(true)
  })

  test('is cancelled by leaving the loop', async () => {
    const made = fake('v3', parts)
    for await (const _ of aiSdk(made.model).stream({ messages: [] })) break
    expect(made.isCancelled).toBe(true)
  })
})
