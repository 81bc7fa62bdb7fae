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

  it('is not put to rest after a loss that nobody has been told of', async () => {
    const sandbox = await open()
    await sandbox.execute('import os, threading\nthreading.Timer(0.1, lambda: os._exit(1)).start()')
    await new Promise((resolve) => setTimeout(resolve, 1500))
    await expect(sandbox.suspend?.()).rejects.toMatchObject({ code: 'SANDBOX_GONE' })
    expect((await sandbox.execute('1')).status).toBe('crashed')
    await (await open({ resume: (await sandbox.suspend?.()) ?? '' })).close()
  })
})
