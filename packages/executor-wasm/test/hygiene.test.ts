import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import { canSeeProcesses, descendants, readProcess, survivors } from './processes.ts'
import { evaluate, openSandbox } from './sandboxes.ts'

const HOST = fileURLToPath(new URL('host.ts', import.meta.url))
const hosts: ChildProcess[] = []

afterEach(() => {
  for (const host of hosts.splice(0)) host.kill('SIGKILL')
})

/** Starts a host whose cell runs the code, and waits until it has said the word. */
async function startHost(code: string, word: string, env: NodeJS.ProcessEnv = process.env): Promise<ChildProcess> {
  const args = ['--conditions=@codeact/source', '--import', 'tsx', HOST, code]
  const host = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
  hosts.push(host)
  await new Promise<void>((resolve, reject) => {
    let said = ''
    host.stdout?.on('data', (text) => {
      said += text
      if (said.includes(word)) resolve()
    })
    host.once('exit', (status) => reject(new Error(`the host ended with ${status}: ${said}`)))
  })
  return host
}

/** The processes of Python that a host has. */
function pythons(host: number): number[] {
  return descendants(host).filter((pid) => readProcess(pid, 'cmdline').includes('main.mjs'))
}

describe.skipIf(!canSeeProcesses)('no process is left (seen through /proc, so on Linux)', () => {
  it('by close()', async () => {
    const sandbox = await openSandbox()
    const started = pythons(process.pid)
    expect(started).toHaveLength(1)
    await sandbox.close()
    expect(await survivors(started)).toEqual([])
  })

  it('by a cell that had to be killed', async () => {
    const sandbox = await openSandbox()
    const started = pythons(process.pid)
    await sandbox.execute('sum(range(10**12))', { timeoutMs: 200 })
    await evaluate(sandbox, '1')
    expect(await survivors(started)).toEqual([])
    expect(pythons(process.pid)).toHaveLength(1)
  })

  it.each([
    ['in a loop', 'print("up")\nwhile True: pass'],
    ['in a computation that looks at nothing', 'print("up")\nsum(range(10**12))'],
    ['in a sleep', 'import time\nprint("up")\ntime.sleep(600)'],
    ['in an await', 'import asyncio\nprint("up")\nawait asyncio.sleep(600)'],
  ])('by a host that is killed while its cell is %s', async (_, code) => {
    const host = await startHost(code, 'up\n')
    const started = pythons(host.pid as number)
    expect(started).toHaveLength(1)
    host.kill('SIGKILL')
    expect(await survivors(started)).toEqual([])
  })

  it('by a script that is done, of its pool', async () => {
    const args = ['--conditions=@codeact/source', '--import', 'tsx', HOST, 'pool', 'print("done")']
    const host = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    hosts.push(host)
    await once(host.stdout, 'data')
    const started = pythons(host.pid as number)
    expect(started.length).toBeGreaterThan(0)
    expect((await once(host, 'exit'))[0]).toBe(0)
    expect(await survivors(started)).toEqual([])
  })

  it('by a host that is killed while it makes the snapshot', async () => {
    const cache = await mkdtemp(join(tmpdir(), 'cache-'))
    const host = await startHost('1', 'snapshot', { ...process.env, CODEACT_CACHE_DIR: cache })
    let started: number[] = []
    while (started.length === 0) {
      await new Promise((resolve) => setTimeout(resolve, 20))
      started = pythons(host.pid as number)
    }
    host.kill('SIGKILL')
    expect(await survivors(started)).toEqual([])
    await rm(cache, { recursive: true })
  })

  it('that Ctrl-C could reach: Python is in a process group of its own', async () => {
    await openSandbox()
    const [python] = pythons(process.pid)
    const group = readProcess(python as number, 'stat')
      .split(') ')[1]
      ?.split(' ')[2]
    expect(Number(group)).toBe(python)
  })
})
