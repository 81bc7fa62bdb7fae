import { readdirSync } from 'node:fs'
import type { Sandbox, Tool } from '@codeact/spec'
import { afterEach, describe, expect, it } from 'vitest'
import { local } from '../src/index.ts'
import { library, openSandbox } from './data-science.ts'
import { evaluate } from './evaluate.ts'
import { leftovers, marked } from './leftovers.ts'
import { bubblewrap, python, slow } from './requirements.ts'

const numpy = await library('numpy')

const DEAF = 'import signal\n_ = signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())\n'

const open: Sandbox[] = []

afterEach(() => Promise.all(open.splice(0).map((sandbox) => sandbox.close())))

async function opened(isolation: 'bubblewrap' | 'none' = 'bubblewrap', tools: readonly Tool[] = []): Promise<Sandbox> {
  const sandbox = await local({ isolation }).open({ tools })
  open.push(sandbox)
  return sandbox
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

describe.skipIf(!numpy.isMet)(`a checkpoint of arrays ${numpy.reason}`, () => {
  it('brings them back, from the middle of a product too', async () => {
    const sandbox = await openSandbox()
    await sandbox.execute(
      'import numpy as np\nnp.random.seed(1)\na = np.arange(6.0).reshape(2, 3)\nbig = np.ones((1500, 1500))',
    )
    const execution = await sandbox.execute(`a[:] = 0\n${DEAF}while True: big @ big`, { timeoutMs: 500 })
    expect(execution).toMatchObject({ status: 'timeout', state: 'rolled-back' })
    expect(await evaluate(sandbox, 'a.sum(), (a @ a.T)[1, 1], (big @ big)[0, 0]')).toMatch(/15\.0.*50\.0.*1500\.0/)
    expect(await evaluate(sandbox, 'round(np.random.random(), 6)')).toMatch(/0\.417022/)
  })
})

describe.skipIf(!bubblewrap.isMet)(`a checkpoint ${bubblewrap.reason}`, () => {
  it('is no child that the code could wait for, nor does it ring for one', async () => {
    const sandbox = await opened()
    await sandbox.execute('import os, signal\nrung = []\n_ = signal.signal(signal.SIGCHLD, lambda *_: rung.append(1))')
    await pause(50)
    expect((await sandbox.execute('os.wait()')).error?.name).toBe('ChildProcessError')
    expect(await evaluate(sandbox, 'rung')).toBe('[]')
    expect(await evaluate(sandbox, 'os.waitpid(os.spawnlp(os.P_NOWAIT, "true", "true"), 0)[1], rung')).toBe('(0, [1])')
  })

  it('is lost to code that kills whatever it may, and that is said', async () => {
    const sandbox = await opened()
    await sandbox.execute('import os\nx = 41')
    expect(await sandbox.execute('os.kill(-1, 9)\nos._exit(1)')).toMatchObject({ status: 'crashed', state: 'lost' })
    expect((await sandbox.execute('x')).error?.name).toBe('NameError')
  })

  it('of a kernel that does not answer any more is not waited for without end', async () => {
    const sandbox = await local({ timeoutMs: 1000 }).open()
    open.push(sandbox)
    await sandbox.execute('import os, time\nx = 41')
    await sandbox.execute('os.register_at_fork(after_in_child=lambda: time.sleep(600))')
    await expect(sandbox.checkpoint?.()).rejects.toMatchObject({ code: 'CHECKPOINT_FAILED' })
    await expect(sandbox.fork?.()).rejects.toMatchObject({ code: 'FORK_FAILED' })
    await expect(sandbox.restore?.('any')).rejects.toMatchObject({ code: 'RESTORE_FAILED' })
    expect(await sandbox.inspect?.()).toEqual([])
    expect(await sandbox.execute('x = 0')).toMatchObject({ status: 'timeout', state: 'rolled-back' })
    expect(await evaluate(sandbox, 'x')).toBe('41')
    expect((await sandbox.restore?.((await sandbox.checkpoint?.()) ?? ''))?.restored).toContain('x')
  })

  it('does not take over what the dead one did to what they share', async () => {
    const sandbox = await opened()
    await sandbox.execute('import os')
    const unblock =
      'for n in map(int, os.listdir("/proc/self/fd")):\n    try: os.set_blocking(n, False)\n    except OSError: pass'
    expect((await sandbox.execute(`${unblock}\nos._exit(1)`)).state).toBe('rolled-back')
    const { stdout } = await sandbox.execute('print("x" * 10 ** 6)\n"y" * 100_000')
    expect(stdout.length).toBeGreaterThan(500_000)
    expect(await evaluate(sandbox, '6 * 7')).toBe('42')
  })

  it('is not handed half of what was on its way to the dead one', async () => {
    const parameters = { jsonSchema: { type: 'object' }, validate: (value: unknown) => ({ ok: true as const, value }) }
    const big: Tool = { name: 'big', description: '', parameters, execute: () => 'x'.repeat(10_000_000) }
    const sandbox = await opened('bubblewrap', [big])
    await sandbox.execute('import os, threading, time\nx = 41')
    for (const ms of [1, 20]) {
      const code = `threading.Timer(${ms / 1000}, os._exit, [1]).start()\nbig()\ntime.sleep(5)`
      expect((await sandbox.execute(code)).state).toBe('rolled-back')
      expect(await evaluate(sandbox, 'x + 1, len(big())')).toBe('(42, 10000000)')
    }
  })

  it('knows the open files where they were, and writes over what the dead one had written', async () => {
    const sandbox = await opened()
    await sandbox.execute(
      'import os\nfile = open("log", "w")\n_ = file.write("one;"), file.flush(), file.write("two;")',
    )
    await sandbox.execute('file.flush()\nfile.write("three;")\nfile.flush()\nos._exit(1)')
    await sandbox.execute('file.write("four;")\nfile.flush()')
    expect(await sandbox.files.readText('log')).toBe('one;two;four;;')
  })

  it('is behind where the kernel dies before another was taken, and that is said', async () => {
    const sandbox = await opened()
    await sandbox.execute('import os, threading\nlog = [1]')
    await sandbox.execute('log.append(2)\nos.register_at_fork(before=lambda: os._exit(1))')
    const { state, rollback } = await sandbox.execute('log.append(3)')
    expect(state).toBe('rolled-back')
    expect(rollback?.lost).toContain('what the cell before it did')
    expect(await evaluate(sandbox, 'log')).toBe('[1]')
  })
})

describe.skipIf(!python.isMet || process.platform !== 'linux')(`checkpoints, again and again ${python.reason}`, () => {
  const many = slow.isMet ? 100 : 10

  it.for(['bubblewrap', 'none'] as const)(
    `${many} times, with nothing left on the host, with %s`,
    { timeout: 180_000 },
    async (isolation, test) => {
      test.skip(isolation === 'bubblewrap' && !bubblewrap.isMet, bubblewrap.reason)
      const executor = marked({ isolation })({})
      const descriptors = () => readdirSync('/proc/self/fd').length
      const [before, left] = [descriptors(), await leftovers()]
      const sandbox = await executor.open()
      await sandbox.execute('import os, subprocess\nx = 41')
      for (let n = 0; n < many; n++) {
        const code = 'child = subprocess.Popen(["sleep", "600"])\nos._exit(1)'
        expect((await sandbox.execute(code)).state).toBe('rolled-back')
        expect(await evaluate(sandbox, 'x + 1')).toBe('42')
      }
      await executor.close()
      await expect.poll(descriptors).toBe(before)
      await expect.poll(leftovers).toEqual(left)
    },
  )
})
