import { CommandExitError, Sandbox } from '@e2b/code-interpreter'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Emulator, startEmulator } from './emulator.ts'
import { bubblewrap } from './requirements.ts'
import { collector, until } from './watching.ts'

describe.skipIf(!bubblewrap.isMet)(`commands in the emulator ${bubblewrap.reason}`, () => {
  let emulator: Emulator
  let sandbox: Sandbox

  beforeAll(async () => {
    emulator = await startEmulator()
    sandbox = await Sandbox.create('base', { ...emulator.connection, envs: { GREETING: 'hello' } })
  })
  afterAll(() => emulator?.close())

  it('run as user, at home, with the environment of the sandbox and their own', async () => {
    const { stdout } = await sandbox.commands.run('whoami; id -u; pwd; echo $HOME $GREETING $MINE', {
      envs: { MINE: 'mine' },
    })
    expect(stdout).toBe('user\n1000\n/home/user\n/home/user hello mine\n')
  })

  it('share one process namespace, in which no signal reaches its first process', async () => {
    const sleeper = await sandbox.commands.run('exec sleep 100', { background: true })
    await sandbox.commands.run(`kill -TERM ${sleeper.pid}`)
    await expect(sleeper.wait()).rejects.toMatchObject({ exitCode: -1, error: 'signal: terminated' })
    await sandbox.commands.run('kill -9 -1').catch(() => {})
    expect((await sandbox.commands.run('echo still here')).stdout).toBe('still here\n')
  })

  it('reach nothing of the host: no process, no port, no setting', async () => {
    const port = new URL(emulator.url).port
    const { stdout } = await sandbox.commands.run(
      [
        'ls -d /proc/[0-9]* | wc -l',
        `(exec 3<>/dev/tcp/127.0.0.1/${port}) 2>/dev/null && echo reached || echo closed`,
        'find /proc/sys /proc/sysrq-trigger -type f -writable 2>/dev/null | wc -l',
        'touch /usr/mine 2>/dev/null || echo read-only',
      ].join('\n'),
    )
    const [processes, network, settings, system] = stdout.trim().split('\n')
    expect(Number(processes)).toBeLessThan(10)
    expect({ network, settings, system }).toEqual({ network: 'closed', settings: '0', system: 'read-only' })
  })

  it('tell their output as it comes, in pieces of 32 KiB at most', async () => {
    const pieces: string[] = []
    const { stdout } = await sandbox.commands.run('head -c 200000 /dev/zero | tr "\\0" x; echo oops >&2', {
      onStdout: (text) => void pieces.push(text),
    })
    expect(stdout).toHaveLength(200_000)
    expect(pieces.length).toBeGreaterThan(6)
    expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThanOrEqual(32 * 1024)
  })

  it('read what is sent, until their input is closed', async () => {
    const cat = await sandbox.commands.run('cat', { background: true, stdin: true, timeoutMs: 0 })
    await cat.sendStdin('one\n')
    await cat.sendStdin('two\n')
    await cat.closeStdin()
    await expect(cat.wait()).resolves.toMatchObject({ exitCode: 0, stdout: 'one\ntwo\n' })
  })

  it('outlive whoever disconnects, and give whoever comes back only what is new', async () => {
    const early = collector()
    const cat = await sandbox.commands.run('exec cat', { background: true, stdin: true, onStdout: early.take })
    await cat.sendStdin('heard\n')
    await until(() => early.text === 'heard\n')
    await cat.disconnect()
    await until(() => emulator.sandboxes.get(sandbox.sandboxId)?.processes.get(cat.pid)?.listeners.size === 1)
    await sandbox.commands.sendStdin(cat.pid, 'lost\n')
    await sandbox.commands.run('true')
    const late = collector()
    const again = await sandbox.commands.connect(cat.pid, { onStdout: late.take })
    await again.sendStdin('new\n')
    await until(() => late.text.includes('new'))
    expect(late.text).toBe('new\n')
    expect((await sandbox.commands.list()).map(({ pid }) => pid)).toContain(cat.pid)
    expect(await again.kill()).toBe(true)
    expect(await again.wait().catch((error: unknown) => error)).toBeInstanceOf(CommandExitError)
  })

  it('can be asked for their end after it', async () => {
    const done = await sandbox.commands.run('exit 3', { background: true })
    await done.wait().catch(() => {})
    const late = await sandbox.commands.connect(done.pid)
    await expect(late.wait()).rejects.toMatchObject({ exitCode: 3, stdout: '' })
    expect(await sandbox.commands.list()).not.toContainEqual(expect.objectContaining({ pid: done.pid }))
  })

  it('die of their deadline, their children do not', async () => {
    const run = sandbox.commands.run('sleep 98765 & wait', { timeoutMs: 300 })
    await expect(run).rejects.toMatchObject({
      name: 'TimeoutError',
      message: expect.stringContaining('[deadline_exceeded]'),
    })
    expect((await sandbox.commands.run('pgrep -f -x "sleep 98765"')).stdout).toMatch(/^\d+\n$/)
  })

  it('are over only when nobody holds their output any more', async () => {
    const { stdout } = await sandbox.commands.run('(sleep 0.2; echo late) & echo early')
    expect(stdout).toBe('early\nlate\n')
  })

  it('are written to in another order, where the switch says so', async () => {
    const out = collector()
    const cat = await sandbox.commands.run('exec cat', { background: true, stdin: true, onStdout: out.take })
    emulator.faults.reordersStdin = true
    await Promise.all(['a', 'b', 'c'].map((letter) => cat.sendStdin(letter.repeat(1000))))
    emulator.faults.reordersStdin = false
    await until(() => out.text.length === 3000)
    await cat.kill()
    const order = out.text.replace(/(.)\1{999}/g, '$1')
    expect(order, 'each is whole').toHaveLength(3)
    expect(order).not.toBe('abc')
  })

  it('hold a sender up that they do not read from', async () => {
    const deaf = await sandbox.commands.run('exec sleep 100', { background: true, stdin: true })
    const sent = deaf.sendStdin('x'.repeat(200_000), { requestTimeoutMs: 300 })
    await expect(sent).rejects.toMatchObject({ name: 'TimeoutError' })
    await deaf.kill()
  })
  it('wait for a reader that does not keep up, and lose nothing', async () => {
    let read = (): void => {}
    const reading = new Promise<void>((resolve) => {
      read = resolve
    })
    const flood = await sandbox.commands.run('head -c 12000000 /dev/zero | tr "\\0" x; touch /tmp/over', {
      background: true,
      onStdout: () => reading,
    })
    await until(() => emulator.sandboxes.get(sandbox.sandboxId)?.processes.get(flood.pid)?.isHeld === true)
    expect(await sandbox.files.exists('/tmp/over')).toBe(false)
    read()
    expect((await flood.wait()).stdout).toHaveLength(12_000_000)
    expect(await sandbox.files.exists('/tmp/over')).toBe(true)
  })
})
