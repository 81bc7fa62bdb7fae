import { drain } from '@codeact/testing'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type OpenAIOptions, openai } from '../src/index.ts'

beforeEach(() => {
  vi.stubEnv('OPENAI_API_KEY', undefined)
  vi.stubEnv('OPENAI_BASE_URL', undefined)
})
afterEach(() => {
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
})

describe('openai()', () => {
  test.each([
    [{}, 'MODEL_KEY_MISSING', /export OPENAI_API_KEY=.*http:\/\/localhost:11434\/v1/],
    [{ baseURL: 'v1' }, 'MODEL_BASE_URL', /http:\/\/localhost:11434\/v1/],
  ])('with %j says what to type', (options, code, hint) => {
    expect(() => openai('gpt-5', options)).toThrow(expect.objectContaining({ code, hint: expect.stringMatching(hint) }))
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

  test('names its model', () => {
    expect(openai('gpt-5', { apiKey: 'a-key' }).id).toBe('openai:gpt-5')
  })
})
