import { answered, modelServer } from '@codeact/testing'
import { describe, expect, test } from 'vitest'
import { listModels } from '../src/index.ts'
import { fault } from './blocks.ts'

describe('listModels()', () => {
  test('gives the names, of all pages, in the order of the server', async () => {
    const page = (ids: string[], has_more: boolean) =>
      answered(200, { data: ids.map((id) => ({ type: 'model', id })), has_more, first_id: ids[0], last_id: ids.at(-1) })
    await using server = await modelServer(page(['claude-b', 'claude-a'], true), page(['claude-0'], false))
    expect(await listModels({ baseURL: server.origin, apiKey: 'a-key' })).toEqual(['claude-b', 'claude-a', 'claude-0'])
    const paths = server.received.map(({ url }) => new URL(url, server.origin))
    expect(paths.map(({ pathname }) => pathname)).toEqual(['/v1/models', '/v1/models'])
    expect(paths[1]?.searchParams.get('after_id')).toBe('claude-a')
    expect(server.received[0]?.headers.authorization).toBe('Bearer a-key')
  })

  test('fails as a call to a model does', async () => {
    await using wrong = await modelServer(answered(401, fault('authentication_error', 'invalid x-api-key')))
    await expect(listModels({ baseURL: wrong.baseURL, apiKey: 'a' })).rejects.toMatchObject({ code: 'MODEL_AUTH' })
    await using none = await modelServer(answered(404, fault('not_found_error', 'Not found')))
    await expect(listModels({ baseURL: none.baseURL })).rejects.toMatchObject({
      code: 'MODEL_NOT_FOUND',
      message: expect.stringContaining('lists no models'),
    })
  })

  test('says so where something else is served', async () => {
    await using page = await modelServer(answered(200, '<!doctype html>'))
    await expect(listModels({ baseURL: page.baseURL })).rejects.toMatchObject({ code: 'MODEL_BAD_RESPONSE' })
    await using other = await modelServer(answered(200, { hello: 'world' }))
    await expect(listModels({ baseURL: other.baseURL })).rejects.toMatchObject({ code: 'MODEL_BAD_RESPONSE' })
  })
})
