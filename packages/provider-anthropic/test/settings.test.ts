import { CodeActError } from '@codeact/spec'
import { drain, modelServer, streamed } from '@codeact/testing'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { anthropic } from '../src/index.ts'
import { reply } from './blocks.ts'

beforeEach(() => {
  vi.stubEnv('ANTHROPIC_API_KEY', undefined)
  vi.stubEnv('ANTHROPIC_BASE_URL', undefined)
})
afterEach(() => vi.unstubAllEnvs())

function failure(make: () => unknown): CodeActError {
  try {
    make()
  } catch (error) {
    if (CodeActError.is(error)) return error
    throw error
  }
  throw new Error('It did not fail.')
}

describe('anthropic()', () => {
  test('without a key and without a base URL fails at once, and says what to type', () => {
    for (const empty of [undefined, '', ' \n']) {
      vi.stubEnv('ANTHROPIC_API_KEY', empty)
      const error = failure(() => anthropic('claude'))
      expect(error.code).toBe('MODEL_KEY_MISSING')
      expect(error.hint).toContain('export ANTHROPIC_API_KEY=')
      expect(error.hint).toContain('http://localhost:8080')
    }
  })

  test('takes key and server from the environment, and options over it', async () => {
    await using named = await modelServer(streamed(reply('ok')))
    await using other = await modelServer(streamed(reply('ok')))
    vi.stubEnv('ANTHROPIC_API_KEY', 'key-of-the-environment')
    vi.stubEnv('ANTHROPIC_BASE_URL', named.baseURL)
    await drain(anthropic('m'))
    expect(named.received[0]?.headers.authorization).toBe('Bearer key-of-the-environment')
    await drain(anthropic('m', { baseURL: other.baseURL, apiKey: 'key-of-the-options' }))
    expect(other.received[0]?.headers.authorization).toBe('Bearer key-of-the-options')
  })

  test('needs no key where the environment names a server', async () => {
    await using server = await modelServer(streamed(reply('ok')))
    vi.stubEnv('ANTHROPIC_BASE_URL', server.origin)
    expect((await drain(anthropic('m'))).length).toBe(3)
  })

  test.each(['localhost:8080', 'ftp://localhost/v1', 'v1'])('refuses the base URL %s', (baseURL) => {
    const error = failure(() => anthropic('m', { baseURL }))
    expect(error.code).toBe('MODEL_BASE_URL')
    expect(error.hint).toContain('http://localhost:8080')
  })

  test.each(['sk-ant-1\nsk-ant-2', 'sk ant', 'sk-ant-größe'])('refuses the key %j, without repeating it', (apiKey) => {
    const error = failure(() => anthropic('m', { apiKey }))
    expect(error.code).toBe('MODEL_AUTH')
    expect(`${error.message} ${error.hint}`).not.toContain(apiKey)
  })

  test('refuses a base URL with a password in it, without repeating it', () => {
    const error = failure(() => anthropic('m', { baseURL: 'http://me:hunter22@localhost/v1' }))
    expect(error.code).toBe('MODEL_BASE_URL')
    expect(`${error.message} ${error.hint}`).not.toContain('hunter22')
  })

  test('names its model, and shows nothing else', () => {
    const model = anthropic('claude', { apiKey: 'a-secret-key' })
    expect(model.id).toBe('anthropic:claude')
    expect(JSON.stringify(model)).toBe('{"id":"anthropic:claude"}')
  })
})
