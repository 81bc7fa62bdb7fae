import type { Sandbox } from '@codeact/spec'
import { afterEach, describe, expect, it } from 'vitest'
import { leftovers, onTarget } from './suite.ts'
import { target } from './target.ts'
import { tool } from './tools.ts'

const opened: Sandbox[] = []
afterEach(async () => {
  await Promise.all(opened.splice(0).map((sandbox) => sandbox.close()))
})

async function open(...args: Parameters<ReturnType<ReturnType<typeof onTarget>>['open']>): Promise<Sandbox> {
  const sandbox = await onTarget()().open(...args)
  opened.push(sandbox)
  return sandbox
}

describe.skipIf(!target.isMet)(`a sandbox at rest ${target.reason}`, () => {
  it('goes on with its variables, files and threads, and with the tools of whoever resumes it', async () => {
    const sandbox = await open({
      tools: [tool('double', (n) => 2 * n), tool('gone', (n) => n)],
      files: { a: 'of the file' },
    })
    await sandbox.execute('x = double(4)')
    await sandbox.execute(
      'import threading, time\nticks = []\ndef tick():\n    while True: ticks.append(1); time.sleep(0.01)\nthreading.Thread(target=tick, daemon=True).start()',
    )
    const id = (await sandbox.suspend?.()) ?? ''
    await expect(sandbox.execute('1')).rejects.toMatchObject({ code: 'SANDBOX_CLOSED' })
    await sandbox.close()
    const again = await open({ resume: id, tools: [tool('double', (n) => 20 * n)] })
    const { value, error } = await again.execute('x, double(4), open("a").read(), len(ticks) > 0, "gone" in globals()')
    expect(error).toBeUndefined()
    expect(value?.['text/plain']).toBe("(8, 80, 'of the file', True, False)")
    const ticks = 'n = len(ticks)\ntime.sleep(0.1)\nlen(ticks) > n'
    expect((await again.execute(ticks)).value?.['text/plain']).toBe('True')
    const twice = await open({ resume: (await again.suspend?.()) ?? '' })
    expect((await twice.execute('x')).value?.['text/plain']).toBe('8')
    await twice.close()
    expect(await leftovers()).toEqual([])
  })

  it('has run its setup once', async () => {
    const withSetup = onTarget({ setup: { python: 'runs = globals().get("runs", 0) + 1' } })()
    const first = await withSetup.open()
    const again = await withSetup.open({ resume: (await first.suspend?.()) ?? '' })
    expect((await again.execute('runs')).value?.['text/plain']).toBe('1')
    await withSetup.close()
  })

  it('rests only between two cells', async () => {
    const sandbox = await open()
    const cell = sandbox.execute('import time\ntime.sleep(0.3)\nprint("done")')
    const id = sandbox.suspend?.() ?? Promise.resolve('')
    expect((await cell).stdout).toBe('done\n')
    await (await open({ resume: await id })).close()
  })

  it('that is gone is said to be', async () => {
    const sandbox = await open()
    const id = (await sandbox.suspend?.()) ?? ''
    await (await open({ resume: id })).close()
    await expect(open({ resume: id })).rejects.toMatchObject({ code: 'SANDBOX_GONE' })
    await expect(open({ resume: 'x' })).rejects.toMatchObject({ code: 'OPTION_INVALID' })
  })

  it.each([
    ['has been rolled back', true, 'rolled-back'],
    ['has lost its state', false, 'lost'],
  ])('is not put to rest where its kernel %s and nobody was told', async (_what, checkpoint, state) => {
    const sandbox = await onTarget({ checkpoint })().open()
    opened.push(sandbox)
    await sandbox.execute('import os, threading\nthreading.Timer(0.1, lambda: os._exit(1)).start()')
    await new Promise((resolve) => setTimeout(resolve, 1500))
    await expect(sandbox.suspend?.()).rejects.toMatchObject({ code: 'SANDBOX_GONE' })
    expect(await sandbox.execute('1')).toMatchObject({ status: 'crashed', state })
    await (await open({ resume: (await sandbox.suspend?.()) ?? '' })).close()
  })

  it('is rolled back after that as before, with the tools of whoever resumed it', async () => {
    let sandbox = await open({ tools: [tool('double', (n) => 2 * n)] })
    await sandbox.execute('import os\nx = 41')
    for (const factor of [3, 4]) {
      const resume = (await sandbox.suspend?.()) ?? ''
      sandbox = await open({ resume, tools: [tool('multiple', (n) => factor * n)] })
      expect(await sandbox.execute('x = 0\nos._exit(1)')).toMatchObject({ status: 'crashed', state: 'rolled-back' })
      const { value } = await sandbox.execute('x + 1, multiple(5), "double" in globals()')
      expect(value?.['text/plain']).toBe(`(42, ${5 * factor}, False)`)
    }
  })

  it.each([true, false])('is rolled back if it was to be when it was made: %s', async (checkpoint) => {
    const made = await onTarget({ checkpoint })().open()
    opened.push(made)
    await made.execute('import os\nx = 41')
    const resumed = await onTarget({ checkpoint: !checkpoint })().open({ resume: (await made.suspend?.()) ?? '' })
    opened.push(resumed)
    expect(resumed.capabilities.languages[0]?.checkpoint).toBe(checkpoint)
    expect((await resumed.execute('os._exit(1)')).state).toBe(checkpoint ? 'rolled-back' : 'lost')
  })

  it('that has ended as it woke, and goes on with its copy, tells the next cell', async () => {
    const sandbox = await open()
    await sandbox.execute('import os, threading\nx = 41')
    await sandbox.execute('threading.Timer(2.5, os._exit, [1]).start()')
    const id = (await sandbox.suspend?.()) ?? ''
    await new Promise((resolve) => setTimeout(resolve, 2800))
    const again = await open({ resume: id })
    await new Promise((resolve) => setTimeout(resolve, 200))
    const { status, state, rollback } = await again.execute('x = 0')
    expect({ status, state, lost: rollback?.lost }).toEqual({
      status: 'crashed',
      state: 'rolled-back',
      lost: ['1 thread'],
    })
    expect((await again.execute('x + 1')).value?.['text/plain']).toBe('42')
  })

  it('has no copy where it is too large for one, and does not pretend to', async () => {
    const executor = onTarget({ checkpoint: { upTo: '48m' } })()
    const sandbox = await executor.open()
    await sandbox.execute('import os\nheld = b"x" * 2 ** 26')
    const again = await executor.open({ resume: (await sandbox.suspend?.()) ?? '' })
    expect(await again.execute('os._exit(1)')).toMatchObject({ status: 'crashed', state: 'lost' })
    await executor.close()
  })
})
