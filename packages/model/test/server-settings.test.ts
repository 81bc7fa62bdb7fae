import { describe, expect, test } from 'vitest'
import { resolveServer } from '../src/index.ts'
import { NAMES } from './names.ts'

test('defaults, then the environment, then options', () => {
  const env = { MINE_KEY: ' of-the-environment\n', MINE_URL: 'http://env:1' }
  expect(resolveServer({ apiKey: 'k' }, NAMES, {})).toEqual({
    baseURL: 'https://api.mine.example',
    apiKey: 'k',
    hasKey: true,
    headers: {},
    maxRetries: 2,
    request: {},
  })
  expect(resolveServer({}, NAMES, env)).toMatchObject({ apiKey: 'of-the-environment', baseURL: 'http://env:1' })
  expect(resolveServer({ apiKey: 'k', baseURL: 'http://mine:1' }, NAMES, env)).toMatchObject({
    apiKey: 'k',
    baseURL: 'http://mine:1',
  })
})

test('a server that is named needs no key', () => {
  expect(resolveServer({ baseURL: 'http://mine:1' }, NAMES, {})).toMatchObject({ apiKey: 'none', hasKey: false })
})

describe('what cannot be', () => {
  test.each([
    [{}, 'MODEL_KEY_MISSING', 'export MINE_KEY=mine-…'],
    [{ apiKey: ' ' }, 'MODEL_KEY_MISSING', 'http://localhost:1234'],
    [{ apiKey: 'two\nlines' }, 'MODEL_AUTH', 'export MINE_KEY=mine-…'],
    [{ baseURL: 'localhost:1234' }, 'MODEL_BASE_URL', 'http://localhost:1234'],
    [{ baseURL: 'http://me:hunter22@localhost' }, 'MODEL_BASE_URL', 'a secret goes into apiKey'],
  ])('%j -> %s', (options, code, hint) => {
    expect(() => resolveServer(options, NAMES, {})).toThrow(
      expect.objectContaining({
        code,
        hint: expect.stringContaining(hint),
        message: expect.not.stringMatching(/hunter|two/),
      }),
    )
  })
})
