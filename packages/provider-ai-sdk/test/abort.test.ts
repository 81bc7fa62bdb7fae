import { describe, expect, test } from 'vitest'
import { aiSdk } from '../src/index.ts'
import { fake } from './models.ts'

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
