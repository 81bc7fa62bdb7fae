import type { Execution, Sandbox } from '@codeact/spec'
import { expect } from 'vitest'
import type { SuiteOptions } from '../describe-executor.ts'
import { evaluate, type Subject } from './subject.ts'

const BOMB = 'held = []\nwhile True: held.append(b"x" * 10 ** 7)'

const GREEDY_CHILD = `import subprocess, sys\nsubprocess.run([sys.executable, "-c", ${JSON.stringify(BOMB)}]).returncode`

const GREEDY_THREADS = [
  'import threading',
  'def fill():',
  '    held = []',
  '    while True: held.append(b"x" * 10 ** 6)',
  'threads = [threading.Thread(target=fill) for _ in range(4)]',
  'for thread in threads: thread.start()',
  'for thread in threads: thread.join()',
].join('\n')

const FORKS = 'import os\nwhile True: os.fork()'

const THREADS = [
  'import threading, time',
  'for _ in range(200): threading.Thread(target=time.sleep, args=(3,), daemon=True).start()',
  'time.sleep(3)',
].join('\n')

const OPEN_ALL = [
  'import errno',
  'held = []',
  'try:',
  '    while True: held.append(open("/dev/null"))',
  'except OSError as error:',
  '    print(errno.errorcode[error.errno])',
].join('\n')

const ONE_FILE = 'with open("big", "wb") as file:\n    for _ in range(64): file.write(b"x" * 2 ** 20)'

const MANY_FILES = [
  'for n in range(20_000):',
  '    with open(f"file-{n}", "wb") as file: file.write(b"x" * 2 ** 18)',
].join('\n')

const REMOVE_ALL = 'import os\nfor name in os.listdir("."): os.remove(name)\nos.listdir(".")'

const SHARE = [
  'import time',
  'until = time.monotonic() + 1',
  'while time.monotonic() < until: pass',
  'time.process_time() - before',
].join('\n')

/** Each limit, used up: what comes of the cell is typed and told, and the session goes on. */
export function limitCases(subject: Subject): void {
  const opened = async (limits: SuiteOptions['limits']): Promise<Sandbox> => {
    const sandbox = await subject.open({ limits, timeoutMs: 30_000 })
    await sandbox.execute('x = 41')
    return sandbox
  }

  subject.promise('limits', (it) => {
    it(
      'ends the cell that takes all the memory, again and again, and not the session',
      async () => {
        const sandbox = await opened({ memory: '128m' })
        for (let n = 0; n < 3; n++) await isOutOfMemory(sandbox, await sandbox.execute(BOMB), '128 MB')
      },
      'memory',
    )

    it(
      'counts what threads take',
      async () => {
        const sandbox = await opened({ memory: '128m' })
        await isOutOfMemory(sandbox, await sandbox.execute(GREEDY_THREADS), '128 MB')
      },
      'processes.memory',
    )

    it(
      'counts what child processes take: they end, or the cell does',
      async () => {
        const sandbox = await opened({ memory: '128m' })
        const execution = await sandbox.execute(GREEDY_CHILD)
        if (execution.status === 'ok') expect(execution.value).toMatchObject({ 'text/plain': '-9' })
        else await isOutOfMemory(sandbox, execution, '128 MB')
        await goesOn(sandbox)
      },
      'processes.memory',
    )

    it(
      'holds a fork bomb',
      async () => {
        const sandbox = await opened({ processes: 40 })
        const execution = await sandbox.execute(FORKS)
        if (execution.status === 'error') expect(execution.error?.name).toBe('BlockingIOError')
        else isTold(execution, 'processes', 'limit of 40 processes')
        await goesOn(sandbox)
      },
      'processes',
    )

    it(
      'counts threads as processes',
      async () => {
        const sandbox = await opened({ processes: 40 })
        const execution = await sandbox.execute(THREADS)
        if (execution.status === 'error') expect(execution.error?.name).toBe('RuntimeError')
        else isTold(execution, 'processes', 'limit of 40 processes')
        await goesOn(sandbox)
      },
      'processes',
    )

    it(
      'lets no process have more open files, and goes on without',
      async () => {
        const sandbox = await opened({ files: 300 })
        expect(await sandbox.execute(OPEN_ALL)).toMatchObject({ status: 'ok', stdout: 'EMFILE\n', state: 'kept' })
        expect(await evaluate(sandbox, 'x + 1, 100 < len(held) < 300')).toBe('(42, True)')
      },
      'files',
    )

    it(
      'lets no file grow beyond the disk',
      async () => {
        const sandbox = await opened({ disk: '16m' })
        const { status, error } = await sandbox.execute(ONE_FILE)
        expect([status, error?.name]).toEqual(['error', 'OSError'])
        await isEmptiedAgain(sandbox)
      },
      'disk',
    )

    it(
      'lets no number of files do so either',
      async () => {
        const sandbox = await opened({ disk: '16m' })
        const execution = await sandbox.execute(MANY_FILES)
        if (execution.status === 'error') expect(execution.error?.name).toBe('OSError')
        else isTold(execution, 'disk', 'disk limit 16 MB')
        await isEmptiedAgain(sandbox)
      },
      'disk',
    )

    it(
      'gives no more than a share of a processor',
      async () => {
        const sandbox = await opened({ cpus: 0.25 })
        await sandbox.execute('import time\nbefore = time.process_time()')
        expect(Number(await evaluate(sandbox, SHARE))).toBeLessThan(0.6)
      },
      'cpus',
    )
  })
}

/** A language may find out by itself that there is no more, and say so to the code. */
async function isOutOfMemory(sandbox: Sandbox, execution: Execution, most: string): Promise<void> {
  if (execution.status === 'error') expect(execution.error?.name).toBe('MemoryError')
  else isTold(execution, 'memory', `memory limit ${most}`)
  await sandbox.execute('held = None')
  await goesOn(sandbox)
}

function isTold(execution: Execution, reason: Execution['reason'], limit: string): void {
  expect(execution).toMatchObject({ status: 'crashed', reason })
  expect(execution.error?.message).toBe(`killed: ${limit}`)
}

async function goesOn(sandbox: Sandbox): Promise<void> {
  const isKept = sandbox.capabilities.languages.some(({ language, checkpoint }) => language === 'python' && checkpoint)
  expect(await evaluate(sandbox, isKept ? 'x + 1' : '6 * 7')).toBe('42')
}

async function isEmptiedAgain(sandbox: Sandbox): Promise<void> {
  expect(await evaluate(sandbox, REMOVE_ALL)).toBe('[]')
  expect(await evaluate(sandbox, 'open("small", "w").write("there is room")')).toBe('13')
  await goesOn(sandbox)
}
