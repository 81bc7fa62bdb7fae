import type { CodeActError } from '@codeact/spec'
import { answered, modelServer } from '@codeact/testing'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { listModels } from '../src/index.ts'

afterEach(() => vi.unstubAllEnvs())

describe('listModels()', () => {
  test('asks the server, with key and headers, and sorts the names', async () => {
    const data = ['o3', 'gpt-5', 'gpt-4o'].map((id) => ({ id, object: 'model', created: 1, owned_by: 'x' }))
    await using server = await modelServer(answered(200, { object: 'list', data }))
    const headers = { 'x-title': 'Demo' }
    expect(await listModels({ baseURL: server.baseURL, apiKey: 'the-key', headers })).toEqual(['gpt-4o', 'gpt-5', 'o3'])
    expect(server.received[0]).toMatchObject({
      url: '/v1/models',
      headers: { authorization: 'Bearer the-key', 'x-title': 'Demo' },
    })
  })

  test('of a server that has none is empty', async () => {
    await using server = await modelServer(answered(200, { object: 'list', data: null }))
    expect(await listModels({ baseURL: server.baseURL })).toEqual([])
  })

  test.each([
    [401, 'MODEL_AUTH'],
    [404, 'MODEL_NOT_FOUND'],
    [500, 'MODEL_OVERLOADED'],
  ])('%i -> %s', async (status, code) => {
    await using server = await modelServer(answered(status, { error: { message: 'no' } }))
    const error = await listModels({ baseURL: server.baseURL, maxRetries: 0 }).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code, hint: expect.any(String) })
    expect((error as CodeActError).message).not.toContain('undefined')
  })

  test('of something that is no list -> MODEL_BAD_RESPONSE', async () => {
    await using server = await modelServer(answered(200, 'Welcome'))
    await expect(listModels({ baseURL: server.baseURL })).rejects.toMatchObject({ code: 'MODEL_BAD_RESPONSE' })
  })

  test('without a key and a server -> MODEL_KEY_MISSING', async () => {
    vi.stubEnv('OPENAI_API_KEY', undefined)
    vi.stubEnv('OPENAI_BASE_URL', undefined)
    await expect(listModels()).rejects.toMatchObject({ code: 'MODEL_KEY_MISSING' })
  })

  test('can be aborted, while the server thinks or the next try is waited for', async () => {
    for (const answer of [() => {}, answered(429, {}, { 'retry-after-ms': '50000' })]) {
      await using server = await modelServer(answer)
      const controller = new AbortController()
      const listing = listModels({ baseURL: server.baseURL, signal: controller.signal })
      listing.catch(() => {})
      await vi.waitUntil(() => server.received.length > 0)
      controller.abort()
      await expect(listing).rejects.toMatchObject({ code: 'MODEL_ABORTED' })
    }
  })
})
