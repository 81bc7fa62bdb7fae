import { CodeActError } from '@codeact/spec'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { e2bError } from '../src/e2b-error.ts'
import { type E2bOptions, e2b } from '../src/index.ts'
import { emulator, isCloud, target } from './target.ts'

const KEY = 'e2b_secret_of_the_operator'
const { faults, connection } = isCloud || !target.isMet ? ({} as never) : await emulator()

async function failure(options: E2bOptions, open = {}): Promise<CodeActError> {
  const error: unknown = await e2b(options)
    .open(open)
    .then(
      (sandbox) => sandbox.close(),
      (thrown) => thrown,
    )
  if (!CodeActError.is(error)) throw error ?? new Error('it opened')
  expect(JSON.stringify([error.message, error.hint, String(error.cause), (error.cause as Error)?.stack])).not.toContain(
    KEY,
  )
  return error
}

afterEach(() => {
  faults?.clear()
  vi.unstubAllEnvs()
})

describe('e2b() refuses', () => {
  it('to begin without a key, and says where to get one', async () => {
    vi.stubEnv('E2B_API_KEY', '')
    expect(await failure({})).toMatchObject({
      code: 'EXECUTOR_KEY_MISSING',
      hint: expect.stringMatching(/dashboard\?tab=keys.*export E2B_API_KEY/),
    })
  })

  it.each<[string, E2bOptions, string]>([
    ['a limit on memory', { limits: { memory: '1g' } }, 'OPTION_UNSUPPORTED'],
    ['mounts', { mounts: { '/a': '/b' } }, 'OPTION_UNSUPPORTED'],
    ['a pool', { pool: { size: 1 } }, 'OPTION_UNSUPPORTED'],
    ["checkpoints of E2B's notebook", { checkpoint: true, backend: 'jupyter' }, 'OPTION_UNSUPPORTED'],
    ['a time that is too short', { idleMs: 10 }, 'OPTION_INVALID'],
    ['a template for a sandbox that is there', { template: 'a', sandboxId: 'b' }, 'OPTION_INVALID'],
    ['a network for a sandbox that is there', { network: 'full', sandboxId: 'b' }, 'OPTION_INVALID'],
    ['what is no host', { network: { allow: ['https://a.example/x'] } }, 'OPTION_INVALID'],
    ['what is no variable', { env: { 'a=b': 'c' } }, 'OPTION_INVALID'],
  ])('%s', async (_what, options, code) => {
    expect(await failure({ apiKey: KEY, ...options })).toMatchObject({ code })
  })
})

describe.skipIf(isCloud || !target.isMet)(`e2b() says what is wrong ${target.reason}`, () => {
  it('with the key', async () => {
    const error = await failure({ ...connection, apiKey: KEY })
    expect(error).toMatchObject({ code: 'EXECUTOR_AUTH', hint: expect.stringContaining('E2B_API_KEY') })
  })

  it('with the template', async () => {
    const error = await failure({ ...connection, template: 'no-such' })
    expect(error).toMatchObject({ code: 'EXECUTOR_TEMPLATE_UNKNOWN', message: expect.stringContaining('no-such') })
  })

  it('with the plan, which allows no more of them', async () => {
    faults.maxSandboxes = 0
    const error = await failure(connection)
    expect(error).toMatchObject({
      code: 'EXECUTOR_RATE_LIMIT',
      isRetryable: true,
      message: expect.stringContaining('maximum'),
    })
  })

  it('with a sandbox that is not there', async () => {
    expect(await failure({ ...connection, sandboxId: 'inone' })).toMatchObject({ code: 'SANDBOX_GONE' })
  })

  it('with the service, and with the network', async () => {
    faults.add({ on: 'POST /v2/sandboxes', answer: { status: 503, body: { code: 503, message: 'no room' } } })
    expect(await failure(connection)).toMatchObject({
      code: 'EXECUTOR_UNAVAILABLE',
      message: expect.stringContaining('busy'),
    })
    const nowhere = { ...connection, apiUrl: 'http://127.0.0.1:9' }
    expect(await failure(nowhere)).toMatchObject({
      code: 'EXECUTOR_UNAVAILABLE',
      message: expect.stringContaining('cannot be reached'),
      isRetryable: true,
    })
  })

  it('with the start of Python, and leaves no sandbox', async () => {
    faults.add({ on: 'process.Process/Start', answer: { status: 500, body: { code: 'internal', message: 'no' } } })
    expect(await failure(connection)).toMatchObject({ code: 'EXECUTOR_UNAVAILABLE' })
    const { sandboxes } = await emulator()
    await expect.poll(() => sandboxes.size).toBe(0)
  })
})

describe('an error', () => {
  it('of another copy of the SDK is known by its name', () => {
    const foreign = Object.assign(new Error('429: too many'), { name: 'RateLimitError' })
    expect(e2bError({ what: 'x', apiKey: KEY }, foreign)).toMatchObject({ code: 'EXECUTOR_RATE_LIMIT' })
  })

  it('that holds the key is told without', () => {
    const told = e2bError({ what: 'x', apiKey: KEY }, new Error(`bad key ${KEY}`))
    expect(told.message).toContain('bad key …')
    expect(told.cause).toBeUndefined()
  })
})
