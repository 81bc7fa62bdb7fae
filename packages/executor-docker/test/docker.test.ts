import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { parseOwner } from '@codeact/sandbox'
import type { Execution, Executor, Sandbox } from '@codeact/spec'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { connectDocker } from '../src/connection.ts'
import { docker as dockerExecutor } from '../src/index.ts'
import { OWNER_LABEL } from '../src/owner-labels.ts'
import { daemonProxy } from './daemon-proxy.ts'
import { leftovers, withImage } from './leftovers.ts'
import { docker, IMAGE, slow } from './requirements.ts'

const BOMB = "x = []\nwhile True: x.append(b'x' * 10**7)"
const executors: Executor[] = []

async function open(more: Parameters<typeof withImage>[0] = {}): Promise<Sandbox> {
  const executor = withImage(more)()
  executors.push(executor)
  return executor.open()
}

/** The one container that this process has. */
async function container() {
  const engine = await connectDocker()
  const all = await engine.listContainers({ filters: { label: [OWNER_LABEL] } })
  const own = all.filter(({ Labels }) => parseOwner(Labels[OWNER_LABEL])?.pid === process.pid)
  expect(own.length).toBe(1)
  return engine.getContainer(own[0]?.Id ?? '')
}

const firstOutput = async (run: ReturnType<Sandbox['execute']>): Promise<void> => {
  for await (const { type } of run) if (type === 'stdout-delta') return
}

const value = ({ value }: Execution): string | undefined => value?.['text/plain']

const gate = docker.isMet ? slow : docker

describe.skipIf(!gate.isMet)(`docker()${gate.reason && ` (skipped: ${gate.reason})`}`, () => {
  afterEach(async () => {
    await Promise.all(executors.splice(0).map((executor) => executor.close()))
    expect(await leftovers()).toEqual([])
  })

  it('tells a want of memory from other deaths, and keeps the container and its files', async () => {
    const sandbox = await open({ limits: { memory: '128m' } })
    await sandbox.execute('x = 1\nopen("kept", "w").write("there")')
    const { id } = await container()
    const bomb = await sandbox.execute(BOMB)
    expect(bomb).toMatchObject({ status: 'crashed', reason: 'memory', state: 'rolled-back' })
    expect(bomb.error?.message).toContain('memory limit')
    expect(value(await sandbox.execute('open("kept").read(), x'))).toBe("('there', 1)")
    expect((await container()).id).toBe(id)
    expect(await sandbox.execute('import os\nos.kill(os.getpid(), 9)')).toMatchObject({ reason: 'signal' })
  })

  it('takes no checkpoint of what needs more than half of the memory, and says so', async () => {
    const sandbox = await open({ limits: { memory: '128m' } })
    const { unprotected } = await sandbox.execute('held = b"x" * 2 ** 26')
    expect(unprotected).toMatch(/checkpoints are taken up to 64 MB$/)
    expect(await sandbox.execute('import os\nos._exit(1)')).toMatchObject({ status: 'crashed', state: 'lost' })
  })

  it('lets the code go on where the system has killed a child of it for want of memory', async () => {
    const sandbox = await open({ limits: { memory: '128m' } })
    const code = `import subprocess, sys\nx = 41\nsubprocess.run([sys.executable, "-c", ${JSON.stringify(BOMB)}]).returncode`
    expect(value(await sandbox.execute(code))).toBe('-9')
    expect(value(await sandbox.execute('x + 1'))).toBe('42')
  })

  it('holds the disk to its size, and says so inside', async () => {
    const sandbox = await open({ limits: { disk: '8m' } })
    const { error } = await sandbox.execute('open("big", "wb").write(bytes(16 * 1024 ** 2))')
    expect(error?.name).toBe('OSError')
    expect(error?.message).toMatch(/No space left|File too large/)
    expect(value(await sandbox.execute('1 + 1'))).toBe('2')
  })

  it('ends a cell whose container is removed by somebody else, and goes on in another', async () => {
    const sandbox = await open()
    await sandbox.execute('open("gone", "w").close()')
    const running = sandbox.execute('print("on", flush=True)\nimport time\ntime.sleep(60)')
    await firstOutput(running)
    await (await container()).remove({ force: true })
    const execution = await running
    expect(execution).toMatchObject({ status: 'crashed', state: 'lost' })
    expect(execution.error?.message).toContain('the container is gone, and its files with it')
    expect(value(await sandbox.execute('import os\nos.listdir()'))).toBe('[]')
  })

  it('ends a cell whose container no longer answers, in time, and goes on in another', async () => {
    const sandbox = await open()
    const frozen = await container()
    await frozen.pause()
    const execution = await sandbox.execute('1', { timeoutMs: 300 })
    expect(execution).toMatchObject({ status: 'timeout', state: 'lost' })
    expect(value(await sandbox.execute('1 + 1'))).toBe('2')
    expect((await container()).id).not.toBe(frozen.id)
  })

  it('ends a cell whose Docker has gone, in time, and says to the next what to do', async () => {
    const daemon = await daemonProxy()
    const sandbox = await open({ host: daemon.host })
    const running = sandbox.execute('print("on", flush=True)\nimport time\ntime.sleep(60)')
    await firstOutput(running)
    await daemon.kill()
    expect(await running).toMatchObject({ status: 'crashed', state: 'lost' })
    await expect(sandbox.execute('1')).rejects.toMatchObject({ code: 'EXECUTOR_UNAVAILABLE', hint: expect.any(String) })
    await sandbox.close()
    // It ends by itself, as soon as its input does.
    await vi.waitFor(async () => expect(await leftovers()).toEqual([]), { timeout: 10_000 })
  })

  it('ends a cell whose Docker hangs, in time, and closes in time', async () => {
    const daemon = await daemonProxy()
    const sandbox = await open({ host: daemon.host })
    const running = sandbox.execute('print("on", flush=True)\nimport time\ntime.sleep(60)', { timeoutMs: 1000 })
    await firstOutput(running)
    daemon.freeze()
    expect(await running).toMatchObject({ status: 'timeout', state: 'lost' })
    const started = Date.now()
    await sandbox.close()
    expect(Date.now() - started).toBeLessThan(30_000)
    await daemon.kill()
    await vi.waitFor(async () => expect(await leftovers()).toEqual([]), { timeout: 10_000 })
  }, 60_000)

  it('works in a folder of the host, read-only unless said', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'docker-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    await chmod(folder, 0o777)
    await writeFile(join(folder, 'in'), 'from the host')
    const readOnly = await open({ workspace: { mount: folder } })
    expect(value(await readOnly.execute('open("in").read()'))).toBe("'from the host'")
    expect((await readOnly.execute('open("out", "w")')).error?.message).toContain('Read-only file system')
    const writable = await open({ workspace: { mount: folder, writable: true } })
    await writable.execute('open("out", "w").write("from the code")')
    expect(await readFile(join(folder, 'out'), 'utf8')).toBe('from the code')
    expect(await writable.files.readText('out')).toBe('from the code')
  })

  it('says which image has no Python, and what to name instead', async () => {
    const engine = await connectDocker()
    const emptyTar = Readable.from([Buffer.alloc(1024)])
    const stream = await engine.importImage(emptyTar as never, { repo: 'codeact-empty', tag: 'test' })
    stream.resume()
    await once(stream, 'end')
    onTestFinished(() => engine.getImage('codeact-empty:test').remove({ force: true }))
    await expect(open({ image: 'codeact-empty:test' })).rejects.toMatchObject({
      code: 'EXECUTOR_UNAVAILABLE',
      message: 'docker(): the image codeact-empty:test has no python3.',
      hint: expect.stringContaining('python:3.13-slim'),
    })
  })

  it('leaves nothing when its host is killed while code runs', async () => {
    const host = spawnHost('run', 'print("on", flush=True)\nwhile True: pass')
    await once(host.stdout, 'data')
    expect((await leftovers(host.pid)).length).toBe(1)
    host.kill('SIGKILL')
    await vi.waitFor(async () => expect(await leftovers(host.pid)).toEqual([]), { timeout: 10_000, interval: 100 })
  })

  it('keeps no script alive for its pool, and leaves nothing of it', async () => {
    const host = spawnHost('pool')
    const [said] = await once(host.stdout, 'data')
    expect(String(said)).toBe('full\n')
    expect((await once(host, 'exit'))[0]).toBe(0)
    await vi.waitFor(async () => expect(await leftovers(host.pid)).toEqual([]), { timeout: 10_000, interval: 100 })
  })

  it('opens from its pool, and closes what nobody took', async () => {
    const executor = dockerExecutor({ image: IMAGE, pool: { size: 2 } })
    executors.push(executor)
    await vi.waitFor(async () => expect((await leftovers()).length).toBe(2), { timeout: 10_000 })
    const sandbox = await executor.open({ files: { a: 'b' } })
    expect(value(await sandbox.execute('open("a").read()'))).toBe("'b'")
  })
})

function spawnHost(...args: string[]) {
  const host = fileURLToPath(new URL('host.ts', import.meta.url))
  const child = spawn(process.execPath, ['--conditions=@codeact/source', '--import', 'tsx', host, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}
