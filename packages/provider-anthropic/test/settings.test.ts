import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { anthropic } from '../src/index.ts'

beforeEach(() => {
  vi.stubEnv('ANTHROPIC_API_KEY', undefined)
  vi.stubEnv('ANTHROPIC_BASE_URL', undefined)
})
afterEach(() => vi.unstubAllEnvs())

describe('anthropic()', () => {
  test.each([
    [{}, 'MODEL_KEY_MISSING', /export ANTHROPIC_API_KEY=.*http:\/\/localhost:8080/],
    [{ baseURL: 'v1' }, 'MODEL_BASE_URL', /http:\/\/localhost:8080/],
  ])('with %j says what to type', (options, code, hint) => {
    expect(() => anthropic('claude', options)).toThrow(
      expect.objectContaining({ code, hint: expect.stringMatching(hint) }),
    )
  })

  test('names its model', () => {
    expect(anthropic('claude', { apiKey: 'a-key' }).id).toBe('anthropic:claude')
  })
})
