import type { Sandbox } from '@codeact/spec'
import { expect } from 'vitest'
import { evaluate, type Subject } from './subject.ts'
import { bareTool } from './tools.ts'

/** Cells that nothing but a kill ends. */
const HANGS: readonly (readonly [string, string])[] = [
  ['Python', 'while True: pass'],
  ['C', 'import time\ntime.sleep(600)'],
]

const DEAF = [
  'import signal',
  'for one in (signal.SIGINT, signal.SIGTERM, signal.SIGIO): signal.signal(one, signal.SIG_IGN)',
  '_ = signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())',
].join('\n')

/** Ends that a cell makes for its own process. */
const ENDS: readonly string[] = [
  'import os\nos._exit(1)',
  'import os\nos._exit(0)',
  'import ctypes\nctypes.string_at(0)',
  'import os\nos.abort()',
  'import os\nos.kill(os.getpid(), 9)',
  'import os\nos.execv("/bin/sh", ["sh", "-c", "exit 7"])',
  'import os\nos.closerange(3, 1024)',
]

/** Threads, children, a loop, a pool and an open file; and what is expected of them, once they come back. */
const RICH = [
  'import asyncio, concurrent.futures, os, random, subprocess, threading, time',
  'random.seed(5)',
  'drawn = random.random()',
  'open("lines", "w").write("one\\ntwo\\nthree\\n")',
  'file = open("lines")',
  'first = file.readline()',
  'pool = concurrent.futures.ThreadPoolExecutor(2)',
  'pool.submit(int).result()',
  'thread = threading.Thread(target=time.sleep, args=(600,), daemon=True)',
  'thread.start()',
  'child = subprocess.Popen(["sleep", "600"])',
  'ticks = []',
  'async def tick():',
  '    while True:',
  '        ticks.append(1)',
  '        await asyncio.sleep(0.01)',
  'task = asyncio.ensure_future(tick())',
  '_ = await asyncio.sleep(0.03)',
].join('\n')

const RICH_END = 'random.random()\nfile.read()\nopen("written", "w").write("x")\nos._exit(1)'

/** A child whose main thread ends alone: to the system it is a zombie, and lives. */
const HALF_DEAD = [
  'import os, subprocess, sys, time',
  'code = "import ctypes, threading, time; threading.Thread(target=time.sleep, args=(600,)).start(); ctypes.CDLL(None).pthread_exit(None)"',
  'child = subprocess.Popen([sys.executable, "-c", code])',
  'def state(pid):',
  '    try: return open(f"/proc/{pid}/stat").read().rpartition(")")[2].split()[0]',
  '    except OSError: return None',
  'while state(child.pid) != "Z": time.sleep(0.01)',
].join('\n')

/** The kernel's own children and those of its parent, zombies too; and what it has open. */
const PROCESSES_AND_DESCRIPTORS = [
  'def parent(pid):',
  '    try: return int(open(f"/proc/{pid}/stat").read().rpartition(")")[2].split()[1])',
  '    except OSError: return None',
  'around = (os.getpid(), os.getppid())',
  'len([pid for pid in os.listdir("/proc") if pid.isdigit() and parent(pid) in around]), len(os.listdir("/proc/self/fd"))',
].join('\n')

export function checkpointCases(subject: Subject): void {
  subject.promise('timeout', (it) => {
    for (const [what, code] of HANGS) {
      it(
        `rolls back a cell that hangs in ${what} and takes no signal`,
        async (sandbox) => {
          await sandbox.execute('x = 41')
          const execution = await sandbox.execute(`x = 0\nprint("partial")\n${DEAF}\n${code}`, { timeoutMs: 500 })
          expect(execution).toMatchObject({ status: 'timeout', state: 'rolled-back', stdout: 'partial\n' })
          expect(execution.rollback?.restored).toEqual(['x'])
          expect(await evaluate(sandbox, 'x + 1')).toBe('42')
        },
        'state',
      )
    }

    it(
      'rolls back whatever end a cell makes for its process, one after the other',
      async (sandbox) => {
        await sandbox.execute('x = 41')
        for (const code of ENDS) {
          const execution = await sandbox.execute(`x = 0\n${code}`, { timeoutMs: 5000 })
          expect(execution, code).toMatchObject({ status: 'crashed', state: 'rolled-back' })
          expect(await evaluate(sandbox, 'x + 1'), code).toBe('42')
        }
      },
      'state',
    )

    it(
      'rolls back to what the last cell left, however soon after it',
      async (sandbox) => {
        const runs = [
          sandbox.execute('log = [1]'),
          ...[2, 3, 4].flatMap((n) => [sandbox.execute('import os\nos._exit(1)'), sandbox.execute(`log.append(${n})`)]),
        ]
        expect((await Promise.all(runs)).map(({ state }) => state)).toEqual([
          ...['kept', 'rolled-back', 'kept', 'rolled-back', 'kept', 'rolled-back', 'kept'],
        ])
        expect(await evaluate(sandbox, 'log')).toBe('[1, 2, 3, 4]')
      },
      'state',
    )

    it(
      'says what is not back, and puts the rest right',
      async (sandbox) => {
        expect((await sandbox.execute(RICH)).error).toBeUndefined()
        await pause(50)
        const { rollback } = await sandbox.execute(RICH_END)
        expect(rollback?.lost).toEqual(['1 thread', '1 child process', 'changes to files: written'].map(similar))
        expect(rollback?.restored).toEqual(expect.arrayContaining(['drawn', 'tick', 'child', 'asyncio']))
        expect(await evaluate(sandbox, 'child.poll(), thread.is_alive(), file.read()')).toBe(
          "(-9, False, 'two\\nthree\\n')",
        )
        expect(await evaluate(sandbox, 'random.seed(5)\nrandom.random() == drawn')).toBe('True')
        expect(await evaluate(sandbox, 'list(pool.map(abs, [-1, -2])), await asyncio.to_thread(abs, -3)')).toBe(
          '([1, 2], 3)',
        )
        expect(await evaluate(sandbox, 'ticks.clear()\nawait asyncio.sleep(0.1)\nlen(ticks) > 1')).toBe('True')
        const run = 'process = await asyncio.create_subprocess_exec("true")\nawait process.wait()'
        expect(await evaluate(sandbox, run)).toBe('0')
      },
      'state',
    )

    it(
      'goes on with the random numbers that were to come',
      async (sandbox) => {
        await sandbox.execute('import os, random\nrandom.seed(1)\nstate = random.getstate()')
        await sandbox.execute('os._exit(1)')
        expect(await evaluate(sandbox, 'random.getstate() == state')).toBe('True')
      },
      'state',
    )

    it(
      'takes nothing over from a cell that was rolled back',
      async () => {
        const answers: ((value: number) => void)[] = []
        const ask = bareTool('ask', {}, () => new Promise((resolve) => answers.push(resolve)))
        const sandbox = await subject.open({}, { tools: [ask] })
        const shout =
          'import threading\ndef shout():\n    while True: print("late")\nthreading.Thread(target=shout).start()'
        await sandbox.execute(`${shout}\nimport os\nthreading.Timer(0.3, os._exit, [1]).start()\nask()`)
        const next = sandbox.execute('print("mine")\nask()')
        await expect.poll(() => answers.length, { timeout: 10_000 }).toBe(2)
        answers[0]?.(1)
        await pause(100)
        answers[1]?.(2)
        const { stdout, value } = await next
        expect([stdout, value?.['text/plain']]).toEqual(['mine\n', '2'])
      },
      'state',
    )

    it(
      'leaves no process and no descriptor behind, however often it is rolled back',
      async (sandbox) => {
        const held = () => evaluate(sandbox, PROCESSES_AND_DESCRIPTORS)
        await sandbox.execute('import os, subprocess\nx = 41')
        await sandbox.execute('os._exit(1)')
        await pause(50)
        const before = await held()
        for (let n = 0; n < 20; n++) await sandbox.execute('child = subprocess.Popen(["sleep", "600"])\nos._exit(1)')
        await expect.poll(held).toBe(before)
        expect(await evaluate(sandbox, 'x + 1')).toBe('42')
      },
      'state',
    )

    it(
      'ends a process too whose main thread had ended before',
      async (sandbox) => {
        expect((await sandbox.execute(HALF_DEAD, { timeoutMs: 10_000 })).error).toBeUndefined()
        expect(await evaluate(sandbox, 'child.poll() is None')).toBe('True')
        await sandbox.execute('os._exit(1)')
        await expect.poll(() => evaluate(sandbox, 'state(child.pid)')).toBeUndefined()
      },
      'state',
    )

    it(
      'is said to be missing where the session has grown too large for one',
      async () => {
        const sandbox = await subject.open({ checkpoint: { upTo: '48m' } })
        expect((await sandbox.execute('import os\nx = 41')).unprotected).toBeUndefined()
        const grown = await sandbox.execute('held = b"x" * 2 ** 26')
        expect(grown.unprotected).toMatch(/^the session holds \d+ MB of memory, and checkpoints are taken up to 48 MB$/)
        expect(await sandbox.execute('os._exit(1)')).toMatchObject({ status: 'crashed', state: 'lost' })
        await sandbox.execute('import os\nx = 41')
        expect(await sandbox.execute('os._exit(1)')).toMatchObject({ status: 'crashed', state: 'rolled-back' })
        expect(await evaluate(sandbox, 'x')).toBe('41')
      },
      'state',
    )

    it(
      'can be done without, and then state is lost',
      async (kept) => {
        const sandbox = await subject.open({ checkpoint: false })
        const [checkpoint, without] = [kept, sandbox].map(pythonCheckpoint)
        expect([checkpoint, without]).toEqual([true, false])
        await sandbox.execute('x = 41')
        await expect(sandbox.checkpoint?.()).rejects.toMatchObject({ code: 'CHECKPOINT_UNSUPPORTED' })
        expect(await sandbox.execute('import os\nos._exit(1)')).toMatchObject({ status: 'crashed', state: 'lost' })
        expect((await sandbox.execute('x')).error?.name).toBe('NameError')
      },
      'state',
    )
  })
}

function pythonCheckpoint({ capabilities }: Sandbox): boolean | undefined {
  return capabilities.languages.find(({ language }) => language === 'python')?.checkpoint
}

/** The threads and children of pools count too, and how many those are is the library's affair. */
function similar(phrase: string): unknown {
  return expect.stringMatching(phrase.replace(/^1 (\w+( \w+)?)$/, '\\d+ $1'))
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
