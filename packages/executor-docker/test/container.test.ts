import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { startContainer } from '../src/container.ts'
import { containersLeft, engine, plan, start } from './containers.ts'
import { docker } from './requirements.ts'

const silent = { stdout: () => {}, stderr: () => {} }

const py = (code: string): string[] => ['python3', '-I', '-c', code]

describe.skipIf(!docker.isMet)(`startContainer ${docker.reason}`, () => {
  it('carries bytes both ways, and keeps stdout and stderr apart', async () => {
    const { container, said } = await start(py('import sys; print(input()[::-1]); print("bad", file=sys.stderr)'))
    container.write('héllo\n')
    expect(await container.closed).toEqual({ reason: 'exit', detail: 'exit code 0', exitCode: 0 })
    expect(said).toEqual({ stdout: 'olléh\n', stderr: 'bad\n' })
    await container.close()
    expect(await containersLeft()).toEqual([])
  })

  it.each([
    ['exit', 'exit code 3', py('raise SystemExit(3)')],
    ['exit', 'exit code 127', ['no-such-program']],
    ['signal', 'SIGSEGV', py('import os; os.kill(os.getpid(), 11)')],
    ['signal', 'SIGKILL', py('import os; os.kill(os.getpid(), 9)')],
  ])('tells %s: %s', async (reason, detail, command) => {
    const { container } = await start(command)
    expect(await container.closed).toMatchObject({ reason, detail })
  })

  it('tells a container that used up its memory from others that were killed', async () => {
    const { container } = await start(py('x = []\nwhile True: x.append(b"x" * 10**7)'), { limits: { memory: '64m' } })
    expect(await container.closed).toMatchObject({ reason: 'memory', exitCode: 137 })
  })

  it('does not blame memory for a later death, when it was a child that used it up', async () => {
    const code = `import subprocess, sys
child = subprocess.run([sys.executable, '-c', 'x = []\\nwhile True: x.append(b"x" * 10**7)'])
sys.exit(5 if child.returncode == -9 else 6)`
    const { container } = await start(py(code), { limits: { memory: '64m' } })
    expect(await container.closed).toMatchObject({ reason: 'exit', exitCode: 5 })
  })

  it.each(['kill', 'remove', 'stop'] as const)('tells a container that somebody else took away by %s', async (how) => {
    const { container } = await start(['sleep', '600'])
    const other = (await engine()).getContainer(container.id)
    await { kill: () => other.kill(), remove: () => other.remove({ force: true }), stop: () => other.stop({ t: 0 }) }[
      how
    ]()
    const end = await container.closed
    expect(end).toMatchObject({ reason: 'removed', error: { code: 'EXECUTOR_UNAVAILABLE', isRetryable: true } })
    await container.close()
    expect(await containersLeft()).toEqual([])
  })

  it('is closed as often as one likes, and is gone then', async () => {
    const { container } = await start(py('import signal; signal.signal(15, signal.SIG_IGN); input()'))
    await Promise.all([container.close(), container.close()])
    expect(await containersLeft()).toEqual([])
    await container.close()
    expect(await container.closed).toEqual({ reason: 'closed', detail: 'it was closed' })
    container.write('to nobody\n')
  })

  it('is closed although init was stopped from inside', async () => {
    const attach = 'import ctypes; ctypes.CDLL(None).ptrace(16, 1, 0, 0); print("done", flush=True); input()'
    const { container, said } = await start(py(attach))
    await expect.poll(() => said.stdout).toBe('done\n')
    await container.close()
    expect(await containersLeft()).toEqual([])
  })

  it('lets other work go on while a flood comes, and can be closed in the middle of it', async () => {
    let received = 0
    const count = (bytes: Uint8Array): void => {
      received += bytes.length
    }
    const flood = py('import os\nwhile True: os.write(1, b"x" * 65536)')
    const container = await startContainer(await engine(), await plan(flood), { stdout: count, stderr: count })
    let turns = 0
    while (received < 64 * 1024 * 1024) {
      await sleep(0)
      turns++
    }
    await container.close()
    expect(turns).toBeGreaterThan(100)
    expect(await containersLeft()).toEqual([])
  })

  it('loses nothing of a large output that ends at once', async () => {
    const { container, said } = await start(
      py('import sys; sys.stdout.write("x" * 5_000_000); sys.stderr.write("y" * 70_000)'),
    )
    await container.closed
    expect([said.stdout.length, said.stderr.length]).toEqual([5_000_000, 70_000])
  })

  it.each([
    ['a folder that is not there', { workspace: { mount: '/no/such/folder' } }, /source path does not exist/],
    ['more processors than there are', { limits: { cpus: 9999 } }, /Range of CPUs/],
  ])('refuses %s, in the words of Docker', async (_what, options, message) => {
    const starting = startContainer(await engine(), await plan(['true'], options), silent)
    await expect(starting).rejects.toMatchObject({ code: 'OPTION_INVALID', message: expect.stringMatching(message) })
  })

  it('leaves nothing when it is aborted at any moment', async () => {
    for (const ms of [0, 2, 5, 10, 20, 40, 80]) {
      const signal = AbortSignal.timeout(ms)
      const starting = startContainer(await engine(), await plan(['sleep', '600']), silent, signal)
      const outcome = await starting.then(
        (container) => container.close(),
        (error: unknown) => error,
      )
      if (outcome !== undefined) expect(outcome).toBe(signal.reason)
      await expect.poll(containersLeft).toEqual([])
    }
  })

  it('keeps its process alive unless it was told not to, and goes with it', async () => {
    const host = (more: string): string => `
      import { engine, plan } from './containers.ts'
      import { startContainer } from '../src/container.ts'
      const container = await startContainer(await engine(), await plan(['cat']), { stdout() {}, stderr() {} })
      ${more}
      console.log(container.id)`
    const idle = await evaluate(host('container.unref()'), 20_000)
    expect(idle.end).toBe(0)
    await expect.poll(() => isThere(idle.stdout), { timeout: 10_000 }).toBe(false)
    const kept = await evaluate(host('container.unref(); container.ref()'), 1000)
    expect(kept.end).toBe('SIGKILL')
    await expect.poll(() => isThere(kept.stdout), { timeout: 10_000 }).toBe(false)
  })
})

/** A host program: what it printed, and how it ended, which after `timeout` is by a kill. */
async function evaluate(code: string, timeout: number): Promise<{ stdout: string; end: number | string }> {
  const args = ['--conditions=@codeact/source', '--import', 'tsx', '--input-type=module', '--eval', code]
  const host = spawn(process.execPath, args, { cwd: import.meta.dirname, stdio: ['ignore', 'pipe', 'inherit'] })
  let stdout = ''
  host.stdout.on('data', (bytes: Buffer) => {
    stdout += bytes.toString()
    // Its time runs from when it has nothing more to do.
    setTimeout(() => host.kill('SIGKILL'), timeout).unref()
  })
  const end = await new Promise<number | string>((resolve) => {
    host.once('close', (status, signal) => resolve(status ?? signal ?? ''))
  })
  return { stdout, end }
}

async function isThere(id: string): Promise<boolean> {
  const all = await (await engine()).listContainers({ all: true })
  return all.some((container) => container.Id === id.trim())
}
