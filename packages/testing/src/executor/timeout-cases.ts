import { expect, it as test } from 'vitest'
import { evaluate, type Subject, skipWhereExcepted } from './subject.ts'

/** Deadlines are behaviour; the slack is for a machine that does other things as well. */
const SLACK_MS = 2500

/** Takes every polite request to stop for an answer. */
const STUBBORN = [
  'import signal, time',
  'print("partial")',
  'def spin():',
  '    while True:',
  '        try:',
  '            while True:',
  '                n = sum(range(1000))',
  '        except BaseException:',
  '            pass',
  'while True:',
  '    try:',
  '        spin()',
  '    except BaseException:',
  '        pass',
].join('\n')

export function timeoutCases(subject: Subject): void {
  subject.promise('timeout', (it) => {
    for (const [what, code] of [
      ['a busy loop', 'while True: pass'],
      ['a sleep', 'import time\ntime.sleep(60)'],
      ['an await', 'import asyncio\nawait asyncio.sleep(60)'],
      ['async work', 'import asyncio\nawait asyncio.sleep(0)\nwhile True: pass'],
    ] as const) {
      it(`interrupts ${what} and keeps state and output`, async (sandbox) => {
        await sandbox.execute('x = 41')
        const started = Date.now()
        const execution = await sandbox.execute(`print("partial")\n${code}`, { timeoutMs: 300 })
        expect(execution).toMatchObject({ status: 'timeout', state: 'kept', stdout: 'partial\n' })
        expect(execution.error).toMatchObject({ name: 'TimeoutError', message: 'the time limit of 0.3 s was exceeded' })
        expect(execution.error?.traceback).toContain('Cell 2, line ')
        expect(Date.now() - started).toBeLessThan(300 + SLACK_MS)
        expect(await evaluate(sandbox, 'x + 1')).toBe('42')
      })
    }

    it('interrupts tasks that only yield, wherever the event loop is', async (sandbox) => {
      await sandbox.execute('import asyncio\nx = 41')
      for (let n = 0; n < 10; n++) {
        const execution = await sandbox.execute('while True: await asyncio.sleep(0)', { timeoutMs: 50 + n })
        expect(execution).toMatchObject({ status: 'timeout', state: 'kept' })
      }
      const gathered =
        'async def spin():\n    while True: await asyncio.sleep(0)\nawait asyncio.gather(spin(), spin(), spin())'
      expect(await sandbox.execute(gathered, { timeoutMs: 50 })).toMatchObject({ status: 'timeout', state: 'kept' })
      expect(await evaluate(sandbox, 'await asyncio.sleep(0.01)\nx + 1')).toBe('42')
    })

    it(
      'goes on after an event loop that did not note its end',
      async (sandbox) => {
        // What an interrupt in the loop's own last steps leaves behind, which is too rare to wait for.
        await sandbox.execute('import asyncio\nawait asyncio.sleep(0)\nloop = asyncio.get_running_loop()')
        await sandbox.execute('loop._thread_id = 1\nasyncio.events._set_running_loop(loop)')
        expect(await evaluate(sandbox, 'await asyncio.sleep(0.01, 42)')).toBe('42')
      },
      'event-loop',
    )

    it('kills what will not stop, says what became of state, and goes on', async (sandbox) => {
      await sandbox.execute('x = 41')
      const started = Date.now()
      const execution = await sandbox.execute(STUBBORN, { timeoutMs: 300 })
      expect(execution).toMatchObject({ status: 'timeout', stdout: 'partial\n' })
      expect(Date.now() - started).toBeLessThan(300 + SLACK_MS)
      if (execution.state === 'lost') expect((await sandbox.execute('x')).error?.name).toBe('NameError')
      else expect(await evaluate(sandbox, 'x')).toBe('41')
    })

    it('counts from the start of the cell, not from the call', async (sandbox) => {
      const first = sandbox.execute('import time\ntime.sleep(0.6)', { timeoutMs: 5000 })
      const second = sandbox.execute('1', { timeoutMs: 400 })
      expect((await first).status).toBe('ok')
      expect((await second).status).toBe('ok')
    })

    it('aborts a cell through its signal', async (sandbox) => {
      const controller = new AbortController()
      setTimeout(() => controller.abort(), 300)
      const execution = await sandbox.execute('print("partial")\nwhile True: pass', { signal: controller.signal })
      expect(execution).toMatchObject({ status: 'aborted', stdout: 'partial\n' })
      expect(await evaluate(sandbox, '1')).toBe('1')
    })

    it('aborts a cell that waits for its turn without running it', async (sandbox) => {
      const first = sandbox.execute('import time\nran = 0\ntime.sleep(0.3)')
      const second = sandbox.execute('ran = 1')
      second.abort()
      await first
      expect((await second).status).toBe('aborted')
      expect(await evaluate(sandbox, 'ran')).toBe('0')
    })
  })

  test('timeout > runs setup again after state was lost', async (context) => {
    const sandbox = await subject.open({ checkpoint: false, setup: { python: 'import math\nloaded = 7' } })
    skipWhereExcepted(context, sandbox, 'timeout')
    expect(await evaluate(sandbox, 'loaded')).toBe('7')
    await sandbox.execute(`loaded = 8\n${STUBBORN}`, { timeoutMs: 300 })
    expect(await evaluate(sandbox, 'math.floor(loaded / 7)')).toBe('1')
  })
}
