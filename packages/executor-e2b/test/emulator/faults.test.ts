import { RateLimitError, Sandbox } from '@e2b/code-interpreter'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Emulator, startEmulator } from './emulator.ts'
import { bubblewrap } from './requirements.ts'
import { collector, until } from './watching.ts'

describe.skipIf(!bubblewrap.isMet)(`faults of the emulator ${bubblewrap.reason}`, () => {
  let emulator: Emulator
  let sandbox: Sandbox

  beforeAll(async () => {
    emulator = await startEmulator()
    sandbox = await Sandbox.create(emulator.connection)
  })
  afterEach(() => emulator?.faults.clear())
  afterAll(() => emulator?.close())

  const routes = (): string[] => emulator.requests.map(({ route }) => route)

  it('a stream is cut at a byte, and the process goes on', async () => {
    const out = collector()
    const cat = await sandbox.commands.run('exec cat', { background: true, stdin: true, timeoutMs: 0 })
    await cat.disconnect()
    emulator.faults.add({ on: 'process.Process/Connect', cut: { afterBytes: 60, by: 'reset' } })
    const cut = await sandbox.commands.connect(cat.pid, { onStdout: out.take })
    await cut.sendStdin('a line that does not fit into sixty bytes of stream\n')
    await expect(cut.wait()).rejects.toMatchObject({ name: 'SandboxError', message: '2: [unknown] terminated' })
    expect(out.text).toBe('')
    expect(routes().at(-1)).toBe('GET /health')
    const whole = await sandbox.commands.connect(cat.pid, { onStdout: out.take })
    await whole.sendStdin('next\n')
    await until(() => out.text === 'next\n')
    await whole.kill()
  })

  it.each([200, 'all-but-last'] as const)('a stream ends after so many bytes: %s', async (afterBytes) => {
    emulator.faults.add({ on: 'process.Process/Start', cut: { afterBytes, by: 'end' } })
    await expect(sandbox.commands.run('seq 1000')).rejects.toThrow()
  })

  it('what was sent before a connection ends arrives', async () => {
    emulator.faults.add({ on: 'process.Process/Start', cut: { afterBytes: 'all-but-last', by: 'reset' } })
    const command = await sandbox.commands.run('exit 7', { background: true })
    await expect(command.wait()).rejects.toThrow('terminated')
    expect(command.exitCode).toBe(7)
  })

  it('a stream ends with an error', async () => {
    emulator.faults.add({ on: 'process.Process/Start', cut: { afterBytes: 60, by: 'error', code: 'unavailable' } })
    await expect(sandbox.commands.run('seq 1000')).rejects.toThrow(/^\[unavailable\] a fault/)
  })

  it.each(['silence', 'keepalives'] as const)('of a stream nothing is left but %s', async (by) => {
    const out = collector()
    emulator.faults.add({ on: 'process.Process/Start', cut: { afterBytes: 60, by } })
    const run = sandbox.commands.run('echo unheard', { onStdout: out.take, timeoutMs: 300 })
    await expect(run).rejects.toMatchObject({ message: expect.stringContaining('[deadline_exceeded]') })
    expect(out.text).toBe('')
  })

  it('input takes effect and its answer is lost, or neither', async () => {
    const out = collector()
    const cat = await sandbox.commands.run('exec cat', { background: true, stdin: true, onStdout: out.take })
    emulator.faults.add({ on: 'process.Process/SendInput', reset: 'before' })
    emulator.faults.add({ on: 'process.Process/SendInput', skip: 2, reset: 'after' })
    await expect(cat.sendStdin('before\n')).rejects.toThrow()
    await cat.sendStdin('between\n')
    await expect(cat.sendStdin('after\n')).rejects.toThrow()
    await until(() => out.text.includes('after'))
    expect(out.text).toBe('between\nafter\n')
    await cat.kill()
  })

  it('only requests of that name are struck, after so many, so many times', async () => {
    emulator.faults.add({
      on: 'GET /files',
      skip: 1,
      times: 2,
      answer: { status: 500, body: { message: 'disk on fire' } },
    })
    await sandbox.files.write('f', 'f')
    expect(await sandbox.files.read('f')).toBe('f')
    await expect(sandbox.files.read('f')).rejects.toThrow('500: disk on fire')
    await expect(sandbox.files.read('f')).rejects.toThrow('500: disk on fire')
    expect(await sandbox.files.read('f')).toBe('f')
  })

  it('a rate limit with a Retry-After is waited for, three times', async () => {
    const limited = { status: 429, headers: { 'retry-after': '0' }, body: { code: 429, message: 'slow' } }
    emulator.faults.add({ on: 'GET /sandboxes/:id', times: 3, answer: limited })
    emulator.requests.length = 0
    expect(await sandbox.getInfo()).toMatchObject({ state: 'running' })
    expect(routes()).toHaveLength(4)
    emulator.faults.add({ on: 'GET /sandboxes/:id', times: 4, answer: limited })
    await expect(sandbox.getInfo()).rejects.toThrow(RateLimitError)
  })

  it('a team has so many sandboxes and no more', async () => {
    emulator.faults.maxSandboxes = 1
    await expect(Sandbox.create('base', emulator.connection)).rejects.toThrow(/maximum number of .* \(1\)/)
  })

  it('a request is held up', async () => {
    emulator.faults.add({ on: 'process.Process/List', delayMs: 2000 })
    await expect(sandbox.commands.list({ requestTimeoutMs: 100 })).rejects.toMatchObject({ name: 'TimeoutError' })
  })

  it('cells: a cut response passes for a whole one, a reset does not, nor does garbage', async () => {
    emulator.faults.add({ on: 'POST /execute', cut: { afterBytes: 120, by: 'end' } })
    const cell = 'for i in range(9): print(i, flush=True)\n"result"'
    const truncated = await sandbox.runCode(cell).catch((error: unknown) => error)
    expect((truncated as { text?: string }).text).toBeUndefined()
    emulator.faults.add({ on: 'POST /execute', cut: { afterBytes: 60, by: 'reset' } })
    await expect(sandbox.runCode(cell)).rejects.toMatchObject({ name: 'TypeError', message: 'terminated' })
    emulator.faults.add({ on: 'POST /execute', cut: { afterBytes: 60, by: 'insert', text: 'not JSON\n' } })
    await expect(sandbox.runCode(cell)).rejects.toThrow(SyntaxError)
    expect((await sandbox.runCode(cell)).text).toBe("'result'")
  })

  it("a sandbox's time is over in the middle of a cell", async () => {
    const doomed = await Sandbox.create(emulator.connection)
    emulator.faults.add({ on: 'POST /execute', cut: { afterBytes: 60, by: 'expiry' } })
    const cell = doomed.runCode('for i in range(9): print(i, flush=True)\nimport time; time.sleep(9)')
    await expect(cell).rejects.toMatchObject({ name: 'TimeoutError', message: expect.stringContaining('was killed') })
    expect(emulator.sandboxes.has(doomed.sandboxId)).toBe(false)
  })

  it('the network is gone, and comes back', async () => {
    const out = collector()
    const cat = await sandbox.commands.run('exec cat', { background: true, stdin: true })
    emulator.goOffline()
    await expect(cat.wait()).rejects.toMatchObject({ message: '2: [unknown] terminated' })
    await expect(cat.sendStdin('x')).rejects.toThrow()
    emulator.goOnline()
    const again = await sandbox.commands.connect(cat.pid, { onStdout: out.take })
    await again.sendStdin('back\n')
    await until(() => out.text === 'back\n')
    await again.kill()
  })

  it('a round trip takes its time, half of it each way, in order', async () => {
    const out = collector()
    const cat = await sandbox.commands.run('exec cat', { background: true, stdin: true, onStdout: out.take })
    emulator.faults.roundTripMs = 200
    const from = performance.now()
    const sent = cat.sendStdin('1\n')
    await until(() => out.text !== '')
    expect(performance.now() - from).toBeGreaterThanOrEqual(195)
    await sent
    const together = [2, 3, 4].map((number) => cat.sendStdin(`${number}\n`))
    await Promise.all(together)
    await until(() => out.text.length === 8)
    emulator.faults.roundTripMs = 0
    await cat.kill()
  })
})
