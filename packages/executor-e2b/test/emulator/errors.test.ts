import {
  AuthenticationError,
  CommandExitError,
  FileNotFoundError,
  InvalidArgumentError,
  NotFoundError,
  RateLimitError,
  Sandbox,
  SandboxError,
  SandboxNotFoundError,
  ServiceBusyError,
  TimeoutError,
} from '@e2b/code-interpreter'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Emulator, startEmulator } from './emulator.ts'
import { bubblewrap } from './requirements.ts'
import { until } from './watching.ts'

/** What the SDK throws, by what is the matter. */
describe.skipIf(!bubblewrap.isMet)(`errors by way of the emulator ${bubblewrap.reason}`, () => {
  let emulator: Emulator
  let sandbox: Sandbox
  let gone: Sandbox

  beforeAll(async () => {
    emulator = await startEmulator()
    const both = [1, 2].map(() => Sandbox.create(emulator.connection))
    ;[sandbox, gone] = (await Promise.all(both)) as [Sandbox, Sandbox]
    await gone.kill()
  })
  afterAll(() => emulator?.close())

  type ErrorClass = abstract new (...args: never[]) => Error
  const cases: [situation: string, act: () => Promise<unknown>, thrown: ErrorClass, message: string | RegExp][] = [
    ['a command that fails', () => sandbox.commands.run('exit 3'), CommandExitError, 'exit status 3'],
    ['a command that is killed', () => sandbox.commands.run('kill -9 $$'), CommandExitError, 'signal: killed'],
    ['a deadline', () => sandbox.commands.run('sleep 9', { timeoutMs: 100 }), TimeoutError, /^\[deadline_exceeded\]/],
    ['a folder that is not there', () => sandbox.commands.run('true', { cwd: '/no' }), InvalidArgumentError, /cwd/],
    ['an unknown user', () => sandbox.commands.run('true', { user: 'eve' }), AuthenticationError, /eve/],
    ['an unknown user of files', () => sandbox.files.read('x', { user: 'eve' }), AuthenticationError, /eve/],
    ['a missing file', () => sandbox.files.read('missing'), FileNotFoundError, /missing/],
    ['input for an unknown process', () => sandbox.commands.sendStdin(9999, 'x'), NotFoundError, /9999/],
    ['a connection to an unknown process', () => sandbox.commands.connect(9999), NotFoundError, /9999/],
    [
      'input where none is read',
      async () => (await sandbox.commands.run('sleep 9', { background: true })).sendStdin('x'),
      SandboxError,
      /^13: \[internal\]/,
    ],
    ['a cell over its time', () => sandbox.runCode('while True: pass', { timeoutMs: 100 }), TimeoutError, /^Execution/],
    ['a command where the sandbox is gone', () => gone.commands.run('true'), SandboxNotFoundError, /probably not/],
    ['a process where the sandbox is gone', () => gone.commands.connect(1), SandboxNotFoundError, /probably not/],
    ['files where the sandbox is gone', () => gone.files.read('x'), TimeoutError, /sandbox was not found/],
    ['a list where the sandbox is gone', () => gone.commands.list(), TimeoutError, /unavailable/],
    ['a cell where the sandbox is gone', () => gone.runCode('1'), TimeoutError, /sandbox was not found/],
    ['contexts where the sandbox is gone', () => gone.createCodeContext(), TimeoutError, /sandbox was not found/],
    ['what is known of a sandbox that is gone', () => gone.getInfo(), SandboxNotFoundError, /not found/],
    ['the time of a sandbox that is gone', () => gone.setTimeout(1000), SandboxNotFoundError, /not found/],
    ['a connection to a sandbox that is gone', () => gone.connect(), SandboxNotFoundError, /not found/],
    ['an unknown template', () => Sandbox.create('nope', emulator.connection), SandboxError, /^404: .*nope/],
    [
      'a wrong key',
      () => Sandbox.create({ ...emulator.connection, apiKey: 'e2b_wrong' }),
      AuthenticationError,
      /Invalid API key/,
    ],
    [
      'an API that is not there',
      () => Sandbox.create({ ...emulator.connection, apiUrl: 'http://127.0.0.1:1' }),
      TypeError,
      'fetch failed',
    ],
  ]

  it.each(cases)('%s', async (_situation, act, thrown, message) => {
    const error = await act().catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(thrown)
    expect((error as Error).constructor).toBe(thrown)
    expect((error as Error).message).toMatch(message)
  })

  it('a signal to an unknown process is no error', async () => {
    expect(await sandbox.commands.kill(9999)).toBe(false)
  })

  it('a sandbox that is killed under way', async () => {
    const doomed = await Sandbox.create(emulator.connection)
    const command = doomed.commands.run('sleep 9').catch((error: unknown) => error)
    const cell = doomed.runCode('import time; time.sleep(9)').catch((error: unknown) => error)
    await until(() => emulator.requests.filter(({ sandboxId }) => sandboxId === doomed.sandboxId).length === 2)
    await new Promise((resolve) => setTimeout(resolve, 100))
    await doomed.kill()
    for (const error of [await command, await cell]) {
      expect(error).toBeInstanceOf(TimeoutError)
      expect((error as Error).message).toMatch(/was killed/)
    }
  })

  it('a wrong token', async () => {
    const stranger = await Sandbox.connect(sandbox.sandboxId, emulator.connection)
    const emulated = emulator.sandboxes.get(sandbox.sandboxId)
    Object.assign(stranger, { envdAccessToken: `not ${emulated?.token}` })
    await expect(stranger.commands.run('true')).rejects.toThrow(AuthenticationError)
  })

  it.each([
    [429, RateLimitError],
    [503, ServiceBusyError],
    [500, SandboxError],
  ])('an API that answers %i', async (status, thrown) => {
    emulator.faults.add({ on: 'POST /v2/sandboxes', answer: { status, body: { code: status, message: 'so it is' } } })
    const error = await Sandbox.create('base', emulator.connection).catch((caught: unknown) => caught)
    expect((error as Error).constructor).toBe(thrown)
    expect((error as Error).message).toContain('so it is')
  })

  it('a 429 from the gateway, which is not in the words of the protocol', async () => {
    emulator.faults.add({ on: 'process.Process/List', answer: { status: 429, body: 'slow down' } })
    await expect(sandbox.commands.list()).rejects.toThrow(TimeoutError)
  })
})
