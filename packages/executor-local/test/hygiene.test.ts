import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest'
import { local } from '../src/index.ts'
import { bubblewrap, python, slow } from './requirements.ts'

const MARK = 'codeact_hygiene_mark'

/** Processes on this machine whose command line or environment holds the text. */
function processesWith(text: string): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter(
      (pid) =>
        pid > 0 && pid !== process.pid && (read(pid, 'cmdline').includes(text) || read(pid, 'environ').includes(text)),
    )
}

function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1')
  } catch {
    return ''
  }
}

async function gone(text: string): Promise<number[]> {
  for (let tries = 0; tries < 50 && processesWith(text).length > 0; tries++)
    await new Promise((resolve) => setTimeout(resolve, 100))
  return processesWith(text)
}

// A folder for temporary files of our own: other tests make theirs at the same time.
const { TMPDIR } = process.env
beforeAll(async () => {
  process.env.TMPDIR = await mkdtemp(join(tmpdir(), 'hygiene-'))
})
afterAll(async () => {
  await rm(tmpdir(), { recursive: true })
  if (TMPDIR === undefined) delete process.env.TMPDIR
  else process.env.TMPDIR = TMPDIR
})

const workspaces = async (): Promise<string[]> =>
  (await readdir(tmpdir())).filter((name) => name.startsWith('codeact-'))

function spawnHost(program: string, ...args: string[]): ChildProcess {
  const file = fileURLToPath(new URL(program, import.meta.url))
  return spawn(process.execPath, ['--conditions=@codeact/source', '--import', 'tsx', file, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

async function startHost(...what: readonly string[]): Promise<ChildProcess> {
  const host = spawnHost('host.ts', ...what)
  await new Promise<void>((resolve, reject) => {
    host.stdout?.once('data', () => resolve())
    host.once('exit', (status) => reject(new Error(`the host ended with ${status}`)))
  })
  return host
}

describe.skipIf(!python.isMet || process.platform !== 'linux')(`nothing is left ${python.reason}`, () => {
  const sleeper = `import subprocess, sys\nchild = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)  # ${MARK}"])\n`

  it.for(['bubblewrap', 'none'] as const)('by close(), with %s', async (isolation, test) => {
    skipWithout(isolation, test)
    const sandbox = await local({ isolation }).open()
    try {
      expect((await sandbox.execute(sleeper)).error).toBeUndefined()
      // A process that has only just begun does not show its command line yet.
      await expect.poll(() => processesWith(MARK).length).toBeGreaterThan(0)
      expect(await workspaces()).toHaveLength(1)
    } finally {
      await sandbox.close()
    }
    expect(await gone(MARK)).toEqual([])
    expect(await workspaces()).toEqual([])
  })

  it.for([
    ['bubblewrap', 'sandbox'],
    ['none', 'sandbox'],
    ['bubblewrap', 'fork'],
    ['none', 'fork'],
    ['none', 'fork that prints'],
  ] as const)('by a host that is killed in the middle of a cell, with %s, of a %s', async ([isolation, what]) => {
    if (isolation === 'bubblewrap' && !bubblewrap.isMet) return
    const body = what === 'fork that prints' ? 'print("x" * 1000)' : 'pass'
    const code = `import subprocess\nsubprocess.Popen(["sleep", "600"])\nprint("up", flush=True)\nwhile True: ${body}`
    const host = await startHost(isolation, code, what)
    const kernels = descendants(host.pid as number)
    expect(kernels.length).toBeGreaterThan(0)
    host.kill('SIGKILL')
    for (let tries = 0; tries < 50 && kernels.some(isRunning); tries++)
      await new Promise((resolve) => setTimeout(resolve, 100))
    expect(kernels.filter(isRunning)).toEqual([])
  })

  it.for(['bubblewrap', 'none'] as const)('by a script that is done, of its pool, with %s', async (isolation, test) => {
    skipWithout(isolation, test)
    const before = await workspaces()
    const mark = `${MARK}_pool_${isolation}`
    const host = spawnHost('pool-host.ts', isolation, mark)
    const [said] = await once(host.stdout as NodeJS.ReadableStream, 'data')
    expect(String(said)).toBe('2\n')
    expect((await once(host, 'exit'))[0]).toBe(0)
    expect(await gone(mark)).toEqual([])
    expect((await workspaces()).filter((name) => !before.includes(name))).toEqual([])
  })

  // Five hundred take half a minute: CI runs them all.
  const many = slow.isMet ? 500 : 50

  it(`by ${many} sandboxes, opened and closed four at a time`, { timeout: 180_000 }, async (test) => {
    skipWithout('bubblewrap', test)
    const held = () => [
      readdirSync('/proc/self/fd').length,
      process.listenerCount('exit'),
      descendants(process.pid).length,
    ]
    const executor = local()
    const openAndClose = async (count: number): Promise<void> => {
      for (let n = 0; n < count; n++) {
        const sandbox = await executor.open()
        expect((await sandbox.execute('1 + 1')).value?.['text/plain']).toBe('2')
        await sandbox.close()
      }
    }
    await openAndClose(4) // What is made once and kept is there from now on.
    const before = held()
    await Promise.all([1, 2, 3, 4].map(() => openAndClose(many / 4)))
    await executor.close()
    await expect.poll(held).toEqual(before)
    expect(await workspaces()).toEqual([])
  })

  it('after the next sandbox opens, of what a killed host could not remove', async () => {
    const before = new Set(await workspaces())
    const host = await startHost('none', 'print("up", flush=True)\nwhile True: pass')
    const left = (await workspaces()).filter((name) => !before.has(name))
    expect(left).toHaveLength(1)
    host.kill('SIGKILL')
    await new Promise((resolve) => host.once('exit', resolve))
    await (await local({ isolation: 'none' }).open()).close()
    expect((await workspaces()).filter((name) => left.includes(name))).toEqual([])
  })
})

function skipWithout(isolation: string, test: TestContext): void {
  test.skip(isolation === 'bubblewrap' && !bubblewrap.isMet, bubblewrap.reason)
}

function descendants(root: number): number[] {
  const parents = new Map(
    readdirSync('/proc')
      .map(Number)
      .filter(Boolean)
      .map((pid) => [pid, parentOf(pid)]),
  )
  const found = [root]
  for (const pid of found) for (const [child, parent] of parents) if (parent === pid) found.push(child)
  return found.slice(1)
}

function parentOf(pid: number): number {
  const stat = read(pid, 'stat')
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
}

/** A zombie is dead; who reaps it is not our affair. */
function isRunning(pid: number): boolean {
  const stat = read(pid, 'stat')
  return stat !== '' && stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3) !== 'Z'
}
