import { expect } from 'vitest'
import type { Subject } from './subject.ts'
import { bareTool } from './tools.ts'

/** Answers later than the cells here may last. */
const later = (): Promise<string> => new Promise((resolve) => setTimeout(() => resolve('yes'), 900))
const LIMIT = { timeoutMs: 500 }

const ask = bareTool('ask', {}, later, { pausesClock: true })
const wonder = bareTool('wonder', {}, () => new Promise(() => {}), { pausesClock: true })
const work = bareTool('work', {}, later)

/** By what a cell waits for: whether its time is up meanwhile. */
const STANDS: Readonly<Record<string, string>> = {
  'in calls': 'ask() + ask()',
}
const STANDS_IN_LOOP: Readonly<Record<string, string>> = {
  'in a call that is awaited': 'await ask.aio()',
  'in several at once': 'import asyncio\nawait asyncio.gather(ask.aio(), ask.aio())',
  'in a loop of its own': 'import asyncio\nasyncio.run(ask.aio())',
}
const RUNS: Readonly<Record<string, string>> = {
  'in another tool as well': 'import asyncio\nawait asyncio.gather(ask.aio(), work.aio())',
  'for a time of its own': 'import asyncio\nawait asyncio.gather(wonder.aio(), asyncio.sleep(60))',
  'no more': 'ask()\nwhile True: pass',
  'in one task only':
    'import asyncio\nasync def spin():\n    while True: await asyncio.sleep(0)\nawait asyncio.gather(wonder.aio(), spin())',
}

const THREADS = 'import asyncio, threading, time\nfrom concurrent.futures import ThreadPoolExecutor\n'
const startAll = 'threads = [threading.Thread(target=ask) for _ in range(3)]\nfor t in threads: t.start()\n'
const beside = (call: string): string => `threading.Thread(${call}, daemon=True).start()\n`

const THREADS_STAND: Readonly<Record<string, string>> = {
  'all of them': `${startAll}ask()`,
  'all but one, which waits for the others': `${startAll}for t in threads: t.join()`,
  'those of a pool': 'with ThreadPoolExecutor(3) as pool: list(pool.map(lambda _: ask(), range(4)))',
}
const THREAD_OF_LOOP = 'await asyncio.get_running_loop().run_in_executor(None, ask)'
const THREADS_RUN: Readonly<Record<string, string>> = {
  'one computes': `def spin():\n    while True: pass\n${beside('target=spin')}wonder()`,
  'one sleeps': `${beside('target=time.sleep, args=(60,)')}wonder()`,
  'the cell computes': `${beside('target=wonder')}while True: pass`,
  'the cell sleeps': `${beside('target=wonder')}time.sleep(60)`,
}

const SIGNALLED = [
  'import signal',
  'def spin(*_):\n    while True: pass',
  'signal.signal(signal.SIGALRM, spin)',
  'signal.setitimer(signal.ITIMER_REAL, 0.1)',
  'wonder()',
].join('\n')

/** A cell's clock stands still while all its threads wait in tools with `pausesClock`, and then only. */
export function clockCases(subject: Subject): void {
  const open = () => subject.open({}, { tools: [ask, wonder, work] })
  const statusOf = async (code: string) => (await (await open()).execute(code, LIMIT)).status

  subject.promise('tools', (it) => {
    for (const [title, code] of Object.entries(STANDS)) {
      it(`stop the clock while a cell waits ${title}`, async () => expect(await statusOf(code)).toBe('ok'))
    }
    for (const [title, code] of Object.entries(STANDS_IN_LOOP)) {
      const run = async () => expect(await statusOf(code)).toBe('ok')
      it(`stop the clock while a cell waits ${title}`, run, 'event-loop')
    }
    for (const [title, code] of Object.entries(RUNS)) {
      it(`let the clock run while a cell waits ${title}`, async () => expect(await statusOf(code)).toBe('timeout'))
    }
    for (const [title, code] of Object.entries(THREADS_STAND)) {
      const run = async () => expect(await statusOf(THREADS + code)).toBe('ok')
      it(`stop the clock while threads wait: ${title}`, run, 'threads')
    }
    it(
      'stop the clock while threads wait: one that a loop waits for',
      async () => expect(await statusOf(THREADS + THREAD_OF_LOOP)).toBe('ok'),
      'threads.event-loop',
    )
    for (const [title, code] of Object.entries(THREADS_RUN)) {
      const run = async () => expect(await statusOf(THREADS + code)).toBe('timeout')
      it(`let the clock run while ${title} and another thread waits`, run, 'threads')
    }

    it(
      'stop the clock whatever threads an earlier cell has left',
      async () => {
        const sandbox = await open()
        await sandbox.execute(THREADS + beside('target=time.sleep, args=(60,)'))
        expect((await sandbox.execute('ask()', LIMIT)).status).toBe('ok')
      },
      'threads',
    )
  })

  subject.promise('crash', (it) => {
    it(
      'is not put off by a signal that is handled while a tool stops the clock',
      async () => expect(await statusOf(SIGNALLED)).toBe('timeout'),
      'signals',
    )
  })
}
