import { describe, expect, it } from 'vitest'
import { openSandbox } from './sandboxes.ts'
import { slowTool } from './tools.ts'

describe('a cell is interrupted, and its session goes on, in', () => {
  it.each([
    ['a bad pattern', 'import re\nre.match("(a+)+$", "a" * 40 + "b")'],
    ['a large power', '10 ** 10 ** 8'],
    ['a sort', 'sorted((n * 7919 % 1000003 for n in range(10**7)), key=lambda n: -n)'],
    ['a long list', 'list(map(str, range(10**9)))'],
    ['a nap inside a loop', 'import time\nwhile True: time.sleep(0.01)'],
    ['a tool that waits', 'slow(60_000)'],
    ['an awaited tool', 'await slow.aio(60_000)'],
    ['many tasks', 'import asyncio\nawait asyncio.gather(*(asyncio.sleep(60) for _ in range(100)))'],
    [
      'a task that awaits nothing',
      'import asyncio\nasync def spin():\n    while True: pass\nawait asyncio.gather(spin(), asyncio.sleep(1))',
    ],
    ['a task that only yields', 'import asyncio\nwhile True: await asyncio.sleep(0)'],
    ['a loop of its own', 'import asyncio\nasyncio.run(asyncio.sleep(60))'],
  ])('%s', async (_, code) => {
    const sandbox = await openSandbox({}, { tools: [slowTool()] })
    await sandbox.execute('x = 41')
    const execution = await sandbox.execute(code, { timeoutMs: 300 })
    expect(execution).toMatchObject({ status: 'timeout', state: 'kept' })
    expect(execution.error?.traceback).toMatch(/TimeoutError: the time limit of 0.3 s was exceeded$/)
    const { value } = await sandbox.execute('import asyncio\nawait asyncio.sleep(0.01)\nx + 1', { timeoutMs: 5000 })
    expect(value?.['text/plain']).toBe('42')
  })

  it('nothing at all: one that comes too late is for no other cell', async () => {
    const sandbox = await openSandbox()
    for (let n = 0; n < 20; n++) {
      const controller = new AbortController()
      const run = sandbox.execute('1', { signal: controller.signal })
      const next = sandbox.execute('sum(range(20_000))')
      for await (const event of run) if (event.type === 'execution-start') setTimeout(() => controller.abort(), n / 10)
      expect(['ok', 'aborted']).toContain((await run).status)
      expect(await next).toMatchObject({ status: 'ok', value: { 'text/plain': '199990000' } })
    }
  })
})

describe('asyncio', () => {
  it('keeps tasks from cell to cell, and waits for tools and timers at once', async () => {
    const sandbox = await openSandbox({}, { tools: [slowTool()] })
    const code = [
      'import asyncio, time',
      'async def later():',
      '    await asyncio.sleep(0.1)',
      '    return "later"',
      'task = asyncio.ensure_future(later())',
      'first, _ = await asyncio.wait([asyncio.ensure_future(slow.aio(20)), task], return_when="FIRST_COMPLETED")',
      '[one.result() for one in first], task.done()',
    ]
    const { value } = await sandbox.execute(code.join('\n'))
    expect(value?.['text/plain']).toBe('([20], False)')
    expect((await sandbox.execute('await task')).value?.['text/plain']).toBe("'later'")
  })

  it('lets a task that only yields see the tool that it waits for', async () => {
    const sandbox = await openSandbox({}, { tools: [slowTool()] })
    const code =
      'import asyncio\ncall = asyncio.ensure_future(slow.aio(20))\nwhile not call.done(): await asyncio.sleep(0)\ncall.result()'
    expect((await sandbox.execute(code)).value?.['text/plain']).toBe('20')
  })

  it('runs what would go to a thread at once', async () => {
    const sandbox = await openSandbox()
    const code = 'import asyncio\nawait asyncio.to_thread(sum, [1, 2])'
    expect((await sandbox.execute(code)).value?.['text/plain']).toBe('3')
  })
})
