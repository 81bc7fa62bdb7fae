import type { Executor, Sandbox } from '@codeact/spec'
import { requirement } from '@codeact/testing'
import { afterEach, describe, expect, it } from 'vitest'
import { type LocalOptions, local } from '../../src/index.ts'
import { cgroupPlaces } from '../../src/limits/cgroup-places.ts'
import { library } from '../data-science.ts'
import { evaluate } from '../evaluate.ts'
import { ownGroups } from '../leftovers.ts'
import { bubblewrap, python, slow } from '../requirements.ts'
import { withoutGroups } from '../without-groups.ts'

const PYTHON = '/usr/bin/python3'
const BOMB = 'held = []\nwhile True: held.append(b"x" * 10 ** 7)'
const CHILD = `import subprocess, sys\nsubprocess.run([sys.executable, "-c", ${JSON.stringify(BOMB)}])`
const PRODUCTS = 'import numpy as np\nheld = [np.ones(10 ** 6) for _ in range(1000)]'
const THREADS = [
  'import threading',
  'def fill():',
  '    held = []',
  '    while True: held.append(b"x" * 10 ** 6)',
  'threads = [threading.Thread(target=fill) for _ in range(4)]',
  'for thread in threads: thread.start()',
  'for thread in threads: thread.join()',
].join('\n')

const groups = await requirement('control groups', async () => {
  const missing = ['memory', 'pids', 'cpu'].filter((name) => !cgroupPlaces().has(name as 'memory'))
  if (missing.length > 0) throw new Error(`no groups of ${missing.join(', ')} can be made here`)
})
const numpy = await library('numpy')

const executors: Executor[] = []
afterEach(() => Promise.all(executors.splice(0).map((executor) => executor.close())))

const MECHANISMS = [
  ['control groups', local, groups],
  ['a watch', withoutGroups, python],
] as const

const CASES = MECHANISMS.flatMap(([by, create, gate]) =>
  (['bubblewrap', 'none'] as const).map((isolation) => {
    // What keeps them is the same.
    const around = isolation === 'none' ? slow : bubblewrap
    const isMet = gate.isMet && around.isMet && process.platform === 'linux'
    return { title: `by ${by}, with ${isolation} ${gate.reason || around.reason}`, isMet, create, isolation }
  }),
)

for (const { title, isMet, create, isolation } of CASES) {
  describe.skipIf(!isMet)(`limits kept ${title}`, () => {
    async function opened(limits: LocalOptions['limits'], more: LocalOptions = {}): Promise<Sandbox> {
      const executor = create({ python: PYTHON, isolation, limits, ...more })
      executors.push(executor)
      const sandbox = await executor.open()
      await sandbox.execute('x = 41')
      return sandbox
    }

    it.for([
      ['a bomb', BOMB, python],
      ['a child', CHILD, python],
      ['threads', THREADS, slow],
      ['arrays', PRODUCTS, numpy.isMet ? slow : numpy],
    ] as const)('end the cell in which %s takes all the memory, twice', async ([, code, gate], test) => {
      test.skip(!gate.isMet, gate.reason)
      const sandbox = await opened({ memory: '128m' })
      for (let n = 0; n < 2; n++) {
        const { status, reason, state, error } = await sandbox.execute(code)
        expect([status, reason, state]).toEqual(['crashed', 'memory', 'rolled-back'])
        expect(error?.message).toBe('killed: memory limit 128 MB')
        expect(await evaluate(sandbox, 'x + 1')).toBe('42')
      }
    })

    it('count what a kernel and its copy share only once', async () => {
      const sandbox = await opened({ memory: '128m' })
      await sandbox.execute('held = b"x" * 55_000_000\nimport time')
      const { unprotected, value } = await sandbox.execute('time.sleep(0.3)\nx + 1')
      expect([unprotected, value?.['text/plain']]).toEqual([undefined, '42'])
      expect((await sandbox.execute('import os\nos._exit(1)')).rollback?.restored).toContain('held')
    })

    it('leave the session, where processes are too many', async () => {
      const sandbox = await opened({ processes: 40 })
      const { status, error, reason } = await sandbox.execute(
        'import time\nchildren = []\nfor _ in range(100):\n    children.append(__import__("subprocess").Popen(["sleep", "60"]))\n    time.sleep(0.002)',
      )
      if (status === 'error') expect(error?.name).toBe('BlockingIOError')
      else expect([reason, error?.message]).toEqual(['processes', 'killed: limit of 40 processes'])
      expect(await evaluate(sandbox, 'x + 1')).toBe('42')
    })

    it('end a cell that fills the disk with many files, and let the next one make room', async () => {
      const sandbox = await opened({ disk: '8m' })
      const many = 'for n in range(10_000):\n    with open(f"file-{n}", "wb") as file: file.write(b"x" * 2 ** 16)'
      const { status, reason, state, error } = await sandbox.execute(many)
      expect([status, reason, state]).toEqual(['crashed', 'disk', 'rolled-back'])
      expect(error?.message).toBe('killed: disk limit 8 MB')
      const room = 'import os, time\ntime.sleep(0.3)\nfor name in os.listdir("."): os.remove(name)\nx + 1'
      expect(await evaluate(sandbox, room)).toBe('42')
      expect(await sandbox.execute(many)).toMatchObject({ status: 'crashed', reason: 'disk' })
    })

    it('do not mind what the host puts into the working directory', async () => {
      const sandbox = await opened({ disk: '1m' })
      await sandbox.files.write('given', 'x'.repeat(3_000_000))
      expect(await evaluate(sandbox, 'import time\ntime.sleep(0.4)\nlen(open("given").read())')).toBe('3000000')
    })

    it('say what a cell has done that ends while nobody looks, in the next', async (test) => {
      test.skip(!slow.isMet, slow.reason)
      const sandbox = await opened({ memory: '128m' }, { checkpoint: false })
      await sandbox.execute(
        `import threading\ndef late():\n    import time\n    time.sleep(0.1)\n    held = []\n    while True: held.append(b"x" * 10 ** 7)\nthreading.Thread(target=late).start()`,
      )
      await new Promise((resolve) => setTimeout(resolve, 3000))
      const next = await sandbox.execute('1')
      expect([next.status, next.reason, next.state]).toEqual(['crashed', 'memory', 'lost'])
      expect(await evaluate(sandbox, '6 * 7')).toBe('42')
    })
  })
}

describe.skipIf(!groups.isMet || !python.isMet)(`a control group ${groups.reason}`, () => {
  it('is gone with its sandbox, and so is a daemon that had left it', async () => {
    const executor = local({ isolation: 'none', checkpoint: false, limits: { cpus: 1 } })
    const sandbox = await executor.open()
    expect(ownGroups()).toHaveLength(3)
    const daemon =
      'import os, time\nif os.fork() == 0:\n    os.setsid()\n    if os.fork(): os._exit(0)\n    time.sleep(600)\nos.wait()'
    await sandbox.execute(daemon)
    await executor.close()
    expect(ownGroups()).toEqual([])
  })

  it('has what is asked for, and everything in it', async () => {
    const executor = local({ isolation: 'none', limits: { memory: '96m', processes: 50, cpus: 0.5 } })
    executors.push(executor)
    const sandbox = await executor.open()
    const lines = await evaluate(sandbox, 'open("/proc/self/cgroup").read()')
    for (const controller of ['memory', 'pids', 'cpu'])
      expect(lines).toMatch(new RegExp(`${controller}:[^\\\\]*codeact-`))
  })
})
