import { expect } from 'vitest'
import type { FaultCase } from './fault.ts'

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
const slowly = (bytes: number, pauses: number): ReadableStream<Uint8Array> => {
  let left = pauses
  return new ReadableStream({
    async pull(controller) {
      await pause(20)
      if (left-- > 0) controller.enqueue(new Uint8Array(bytes))
      else controller.close()
    },
  })
}

/** The host closes and aborts at the worst moment, or the kernel ends when nobody looks. */
export const INTERFERENCE: readonly FaultCase[] = [
  {
    promise: 'timeout',
    title: 'an abort while it opens',
    async run(trial) {
      for (const ms of [0, 5, 20, 60]) {
        const opening = trial.open({}, { signal: AbortSignal.timeout(ms) })
        await opening.then(
          (sandbox) => sandbox.close(),
          (error: Error) => expect(error.name).toBe('TimeoutError'),
        )
      }
    },
  },
  {
    promise: 'timeout',
    title: 'a close in every moment of a cell',
    async run(trial) {
      for (const ms of [0, 1, 10, 50]) {
        const sandbox = await trial.open()
        const runs = [sandbox.execute('while True: pass'), sandbox.execute('1')]
        const ends = Promise.allSettled(runs)
        await pause(ms)
        await Promise.all([sandbox.close(), sandbox.close()])
        for (const end of await ends) {
          if (end.status === 'fulfilled') expect(end.value.status).toBe('aborted')
          else expect(end.reason).toMatchObject({ code: 'SANDBOX_CLOSED' })
        }
        await expect(sandbox.execute('1')).rejects.toMatchObject({ code: 'SANDBOX_CLOSED' })
      }
    },
  },
  {
    promise: 'tools',
    title: 'a close in the middle of a tool call',
    async run(trial) {
      const sandbox = await trial.open({}, { tools: trial.bait.tools() })
      const run = sandbox.execute('wait()')
      await expect.poll(() => trial.bait.waiting).toBe(1)
      await sandbox.close()
      expect((await run).status).toBe('aborted')
      expect(trial.bait).toMatchObject({ waiting: 0, stopped: 1 })
    },
  },
  {
    promise: 'tools',
    title: 'an abort in the middle of a tool call',
    async run(trial) {
      const controller = new AbortController()
      const run = trial.execute('x = 1\nwait()', { signal: controller.signal })
      await expect.poll(() => trial.bait.waiting).toBe(1)
      controller.abort()
      expect(await run).toMatchObject({ status: 'aborted', state: 'kept' })
      expect(await trial.evaluate('x')).toBe('1')
    },
  },
  {
    promise: 'files',
    title: 'a close in the middle of an upload',
    async run(trial) {
      const sandbox = await trial.open()
      const upload = sandbox.files.write('big', slowly(100_000, 20)).then(
        () => 'written',
        (error: { code?: string }) => error.code,
      )
      await pause(50)
      await sandbox.close()
      expect(await upload).toMatch(/^(written|FILES_|SANDBOX_CLOSED)/)
    },
  },
  {
    promise: 'state',
    title: 'a death between two cells is told by the next, which does not run',
    async run(trial) {
      await trial.execute('import signal\nx = 1\n_ = signal.setitimer(signal.ITIMER_REAL, 0.2)')
      await pause(1000)
      const next = await trial.execute('print("never")')
      expect(next).toMatchObject({ status: 'crashed', stdout: '' })
      expect(await trial.evaluate('x')).toMatch(next.state === 'lost' ? /NameError/ : /^1$/)
    },
  },
  {
    promise: 'state',
    title: 'a hundred calls at once on one sandbox',
    async run(trial) {
      await trial.execute('log = []')
      const runs = Array.from({ length: 100 }, (_, n) => trial.sandbox.execute(`log.append(${n})`))
      await Promise.all(runs)
      expect(await trial.evaluate('log == list(range(100))')).toBe('True')
    },
  },
]
