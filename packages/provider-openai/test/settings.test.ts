import { CodeActError } from '@codeact/spec'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { openai } from '../src/index.ts'
import { chatServer, reply, streamed } from './chat-server.ts'
import { drain } from './drain.ts'

beforeEach(() => {
  vi.stubEnv('OPENAI_API_KEY', undefined)
  vi.stubEnv('OPENAI_BASE_URL', undefined)
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

describe('openai()', () => {
  test('without a key and without a base URL fails at once, and says what to type', () => {
    for (const empty of [undefined, '', ' \n']) {
      vi.stubEnv('OPENAI_API_KEY', empty)
      const error = failure(() => openai('gpt-5'))
      expect(error.code).toBe('MODEL_KEY_MISSING')
      expect(error.hint).toContain('export OPENAI_API_KEY=')
      expect(error.hint).toContain('http://localhost:11434/v1')
    }
  })

  test('takes key and server from the environment, and options over it', async () => {
    await using named = await chatServer(streamed(reply('ok')))
    await using other = await chatServer(streamed(reply('ok')))
    vi.stubEnv('OPENAI_API_KEY', 'key-of-the-environment')
    vi.stubEnv('OPENAI_BASE_URL', named.baseURL)
    await drain(openai('m'))
    expect(named.received[0]?.headers.authorization).toBe('Bearer key-of-the-environment')
    await drain(openai('m', { baseURL: other.baseURL, apiKey: 'key-of-the-options' }))
    expect(other.received[0]?.headers.authorization).toBe('Bearer key-of-the-options')
  })

  test('needs no key where the environment names a server', async () => {
    await using server = await chatServer(streamed(reply('ok')))
    vi.stubEnv('OPENAI_BASE_URL', server.baseURL)
    expect((await drain(openai('m'))).length).toBe(3)
  })

  test.each(['localhost:11434/v1', 'ftp://localhost/v1', 'v1'])('refuses the base URL %s', (baseURL) => {
    const error = failure(() => openai('m', { baseURL }))
    expect(error.code).toBe('MODEL_BASE_URL')
    expect(error.hint).toContain('http://localhost:11434/v1')
  })

  test('refuses a base URL with a password in it, without repeating it', () => {
    const error = failure(() => openai('m', { baseURL: 'http://me:hunter22@localhost/v1' }))
    expect(error.code).toBe('MODEL_BASE_URL')
    expect(`${error.message} ${error.hint}`).not.toContain('hunter22')
  })

  test('names its model, and shows nothing else', () => {
    const model = openai('gpt-5', { apiKey: 'a-secret-key' })
    expect(model.id).toBe('openai:gpt-5')
    expect(JSON.stringify(model)).toBe('{"id":"openai:gpt-5"}')
  })
})
