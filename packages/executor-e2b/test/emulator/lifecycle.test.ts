import { existsSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { NotFoundError, Sandbox, SandboxNotFoundError } from '@e2b/code-interpreter'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Emulator, startEmulator } from './emulator.ts'
import { bubblewrap } from './requirements.ts'
import { collector, until } from './watching.ts'

describe.skipIf(!bubblewrap.isMet)(`the life of a sandbox in the emulator ${bubblewrap.reason}`, () => {
  let emulator: Emulator

  beforeAll(async () => {
    emulator = await startEmulator()
  })
  afterAll(() => emulator?.close())

  it('is counted from its making, can be lengthened, and ends', async () => {
    const sandbox = await Sandbox.create('base', { ...emulator.connection, timeoutMs: 60_000 })
    const info = await sandbox.getInfo()
    expect(info.endAt.getTime() - info.startedAt.getTime()).toBeLessThanOrEqual(61_000)
    await sandbox.setTimeout(120_000)
    await Sandbox.connect(sandbox.sandboxId, { ...emulator.connection, timeoutMs: 10_000 })
    expect((await sandbox.getInfo()).endAt.getTime()).toBeGreaterThan(Date.now() + 100_000)
    await sandbox.setTimeout(1000)
    await until(() => !emulator.sandboxes.has(sandbox.sandboxId))
    expect(await sandbox.isRunning()).toBe(false)
    await expect(sandbox.getInfo()).rejects.toThrow(SandboxNotFoundError)
    expect(await sandbox.kill()).toBe(false)
  })

  it('goes on after a pause: processes, files, notebook', async () => {
    const sandbox = await Sandbox.create(emulator.connection)
    await sandbox.runCode('x = 1')
    const out = collector()
    const cat = await sandbox.commands.run('exec cat', { background: true, stdin: true, timeoutMs: 0 })
    expect(await sandbox.pause()).toBe(true)
    expect(await sandbox.pause()).toBe(false)
    await expect(cat.wait()).rejects.toMatchObject({ name: 'TimeoutError' })
    expect(await sandbox.isRunning()).toBe(false)
    await expect(sandbox.commands.run('true')).rejects.toThrow(SandboxNotFoundError)
    expect((await sandbox.getInfo()).state).toBe('paused')
    const again = await Sandbox.connect(sandbox.sandboxId, emulator.connection)
    const same = await again.commands.connect(cat.pid, { onStdout: out.take })
    await same.sendStdin('awake\n')
    await until(() => out.text === 'awake\n')
    expect((await again.runCode('x')).text).toBe('1')
    await again.kill()
  })

  it('keeps only its files where the pause does not keep the memory', async () => {
    const sandbox = await Sandbox.create('base', emulator.connection)
    await sandbox.files.write('kept', 'kept')
    const sleeper = await sandbox.commands.run('exec sleep 100', { background: true })
    await sandbox.pause({ keepMemory: false })
    await sandbox.connect()
    expect(await sandbox.files.read('kept')).toBe('kept')
    await until(() => emulator.sandboxes.get(sandbox.sandboxId)?.processes.get(sleeper.pid)?.end !== undefined)
    await expect(sleeper.sendStdin('x')).rejects.toThrow(NotFoundError)
    await sandbox.kill()
  })

  it('is found by its metadata, page by page', async () => {
    const metadata = { owner: 'a b&c', run: '1' }
    const made = await Promise.all(
      [metadata, metadata, metadata, { owner: 'another' }].map((each) =>
        Sandbox.create('base', { ...emulator.connection, metadata: each }),
      ),
    )
    await made[1]?.pause()
    const found: string[] = []
    const pages = Sandbox.list({ ...emulator.connection, query: { metadata: { owner: 'a b&c' } }, limit: 2 })
    while (pages.hasNext) found.push(...(await pages.nextItems()).map(({ sandboxId }) => sandboxId))
    expect(found.sort()).toEqual(
      made
        .slice(0, 3)
        .map(({ sandboxId }) => sandboxId)
        .sort(),
    )
    const paused = Sandbox.list({ ...emulator.connection, query: { metadata, state: ['paused'] } })
    expect((await paused.nextItems()).map(({ sandboxId }) => sandboxId)).toEqual([made[1]?.sandboxId])
    await Promise.all(made.map((sandbox) => sandbox.kill()))
  })

  it('has a network as it was asked for, as far as the API knows', async () => {
    const network = { allowOut: ['pypi.org'], denyOut: ['0.0.0.0/0'] }
    const sandbox = await Sandbox.create('base', { ...emulator.connection, network, allowInternetAccess: false })
    expect(await sandbox.getInfo()).toMatchObject({ allowInternetAccess: false, network })
    await sandbox.updateNetwork({ denyOut: ['8.8.8.8'] })
    expect((await sandbox.getInfo()).network).toMatchObject({ denyOut: ['8.8.8.8'] })
    expect(await sandbox.getMetrics()).toMatchObject([{ cpuCount: 2 }])
    await sandbox.kill()
    const open = Sandbox.create('base', { ...emulator.connection, network: { allowOut: ['pypi.org'] } })
    await expect(open).rejects.toThrow(/^400: /)
  })

  it('leaves nothing when the emulator closes', async () => {
    const folders = (): string[] =>
      readdirSync(tmpdir()).filter((name) => name.startsWith(`codeact-e2b-${process.pid}-`))
    const other = await startEmulator()
    const before = folders()
    const sandbox = await Sandbox.create('base', other.connection)
    const run = sandbox.commands.run('sleep 100', { timeoutMs: 0 }).catch((error: unknown) => error)
    await until(() => other.requests.some(({ route }) => route === 'process.Process/Start'))
    const [folder] = folders().filter((name) => !before.includes(name))
    expect(folder).toBeDefined()
    await other.close()
    expect(await run).toBeInstanceOf(Error)
    expect(existsSync(`${tmpdir()}/${folder}`)).toBe(false)
  })
})
