import { CodeActError } from '@codeact/spec'
import { drain, modelServer, streamed } from '@codeact/testing'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type OpenAIOptions, openai } from '../src/index.ts'
import { reply } from './chat/chunks.ts'

beforeEach(() => {
  vi.stubEnv('OPENAI_API_KEY', undefined)
  vi.stubEnv('OPENAI_BASE_URL', undefined)
})
afterEach(() => {
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
})

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
    await using named = await modelServer(streamed(reply('ok')))
    await using other = await modelServer(streamed(reply('ok')))
    vi.stubEnv('OPENAI_API_KEY', 'key-of-the-environment')
    vi.stubEnv('OPENAI_BASE_URL', named.baseURL)
    await drain(openai('m'))
    expect(named.received[0]?.headers.authorization).toBe('Bearer key-of-the-environment')
    await drain(openai('m', { baseURL: other.baseURL, apiKey: 'key-of-the-options' }))
    expect(other.received[0]?.headers.authorization).toBe('Bearer key-of-the-options')
  })

  test('needs no key where the environment names a server', async () => {
    await using server = await modelServer(streamed(reply('ok')))
    vi.stubEnv('OPENAI_BASE_URL', server.baseURL)
    expect((await drain(openai('m'))).length).toBe(3)
  })

  const OWN = 'https://api.openai.com/v1'
  const LOCAL = 'http://127.0.0.1:1/v1'
  const choices: [OpenAIOptions, string | undefined, string][] = [
    [{}, undefined, `${OWN}/responses`],
    [{ baseURL: OWN }, undefined, `${OWN}/responses`],
    [{ baseURL: 'https://eu.api.openai.com/v1' }, undefined, 'https://eu.api.openai.com/v1/responses'],
    [{}, OWN, `${OWN}/responses`],
    [{ api: 'chat' }, undefined, `${OWN}/chat/completions`],
    [{ baseURL: LOCAL }, undefined, `${LOCAL}/chat/completions`],
    [{}, LOCAL, `${LOCAL}/chat/completions`],
    [{ baseURL: 'https://myapi.openai.com/v1' }, undefined, 'https://myapi.openai.com/v1/chat/completions'],
    [{ baseURL: 'https://api.openai.com.example/v1' }, undefined, 'https://api.openai.com.example/v1/chat/completions'],
    [{ baseURL: LOCAL, api: 'responses' }, undefined, `${LOCAL}/responses`],
  ]
  test.each(choices)('with %j, where OPENAI_BASE_URL is %s, asks at %s', async (options, baseURL, asked) => {
    vi.stubEnv('OPENAI_BASE_URL', baseURL)
    const urls: string[] = []
    vi.stubGlobal('fetch', async (url: string) => {
      urls.push(url)
      return new Response('{}', { status: 400 })
    })
    await expect(drain(openai('gpt-5', { apiKey: 'k', ...options }))).rejects.toMatchObject({
      code: 'MODEL_BAD_REQUEST',
    })
    expect(urls).toEqual([asked])
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
