import type { CellEvent, Sandbox } from '@codeact/spec'
import { Sandbox as E2bSandbox } from '@e2b/code-interpreter'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { e2b } from '../src/index.ts'
import type { Cut } from './emulator/faults.ts'
import { emulator, isCloud, slow, target } from './target.ts'
import { tool } from './tools.ts'

const { faults, connection, requests, sandboxes } = isCloud || !target.isMet ? ({} as never) : await emulator()
const calls: number[] = []
const double = tool('double', (n) => {
  calls.push(n)
  return 2 * n
})
/** The others differ in how the SDK tells them. */
const QUICK = 'is truncated'
const LOST = /^the cell ran.*; some of its output may be lost: the stream from the notebook broke/

describe.skipIf(!target.isMet)(`E2B's notebook ${target.reason}`, () => {
  const executor = e2b({ ...connection, backend: 'jupyter', env: { SECRET: "it's" } })
  let sandbox: Sandbox

  beforeAll(async () => {
    sandbox = await executor.open({ tools: [double] })
  })
  afterEach(() => faults?.clear())
  afterAll(() => executor.close())

  const text = async (code: string): Promise<string | undefined> => {
    const { value, error } = await sandbox.execute(code)
    return value?.['text/plain'] ?? error?.traceback
  }

  it('has the environment that was asked for, and nothing of it in the code', async () => {
    expect(await text('import os\nos.environ["SECRET"]')).toBe(`"it's"`)
    const sent = requests?.filter(({ route }) => route === 'POST /execute').map(({ body }) => JSON.stringify(body))
    expect(sent?.length).toBeGreaterThan(1)
    expect(sent?.filter((body) => body.includes("it's") || body.includes('env_vars'))).toEqual([])
  })

  it('tells errors in the lines of the user', async () => {
    const { error } = await sandbox.execute('def f():\n    return 1 / 0\nf()')
    expect(error?.traceback).toMatch(
      /^Traceback \(most recent call last\):\n {2}Cell \d+, line 3\n {4}f\(\)\n {2}Cell \d+, line 2, in f\n {4}return 1 \/ 0\nZeroDivisionError: division by zero$/,
    )
  })

  it('shows what has forms in the order in which it was shown', async () => {
    const events: CellEvent[] = []
    const code = 'class H:\n  def _repr_html_(self): return "<b>"\nprint(1)\ndisplay(H())\nprint(2)\n{"a": 1}'
    const run = sandbox.execute(code)
    for await (const event of run) events.push(event)
    expect(events.map(({ type }) => type)).toEqual([
      'execution-start',
      'stdout-delta',
      'display',
      'stdout-delta',
      'execution-end',
    ])
    const { displays, value, stdout } = await run
    expect(displays).toMatchObject([{ 'text/html': '<b>' }])
    expect(value).toEqual({ 'text/plain': "{'a': 1}", 'application/json': '{"a":1}' })
    expect(stdout).toBe('1\n2\n')
  })

  it('calls tools one after the other, side by side, and from threads, after what was printed before', async () => {
    calls.length = 0
    const seen: string[] = []
    const run = sandbox.execute('for n in range(5):\n    print(n)\n    assert double(n) == 2 * n')
    for await (const event of run) {
      if (event.type === 'stdout-delta') seen.push(event.text)
      if (event.type === 'tool-start') seen.push('call')
    }
    expect((await run).status).toBe('ok')
    expect(seen.join(' ')).toBe('0\n call 1\n call 2\n call 3\n call 4\n call')
    expect(calls).toEqual([0, 1, 2, 3, 4])
    const many = 'import asyncio\nsum(await asyncio.gather(*(double.aio(n) for n in range(100))))'
    expect(await text(many)).toBe('9900')
    const threads =
      'from concurrent.futures import ThreadPoolExecutor\nwith ThreadPoolExecutor(8) as pool:\n  r = sum(pool.map(double, range(40)))\nr'
    expect(await text(threads)).toBe('1560')
  })

  it('is interrupted at its own address, and goes on at once with its variables', async () => {
    await sandbox.execute('kept = 5')
    for (const code of ['while True: pass', 'import asyncio\nawait asyncio.sleep(60)', 'while True: double(0)']) {
      const { status, state, stdout } = await sandbox.execute(`print("in")\n${code}`, { timeoutMs: 150 })
      expect({ status, state, stdout }, code).toEqual({ status: 'timeout', state: 'kept', stdout: 'in\n' })
      expect(await text('kept')).toBe('5')
    }
  })

  describe.skipIf(isCloud)('where its stream breaks', () => {
    const cuts: readonly [string, Cut][] = [
      [QUICK, { afterBytes: 500, by: 'end' }],
      ['is reset', { afterBytes: 500, by: 'reset' }],
      ['has a line of nonsense', { afterBytes: 500, by: 'insert', text: 'nonsense\n' }],
      ['lacks its last message only', { afterBytes: 'all-but-last', by: 'end' }],
    ]
    it.for(cuts)('because it %s: says that output may be lost, or has all of it', async ([how, cut], test) => {
      test.skip(!slow.isMet && QUICK !== how && cut.afterBytes !== 'all-but-last', slow.reason)
      faults.add({ on: 'POST /execute', cut })
      const code = 'taken = 4\nprint("begin")\nimport time\ntime.sleep(0.05)\nprint("." * 3000)\ndouble(2)'
      const { status, state, stdout, error } = await sandbox.execute(code)
      if (cut.afterBytes === 'all-but-last') {
        expect({ status, stdout: stdout.slice(-3) }).toEqual({ status: 'ok', stdout: '..\n' })
      } else {
        expect({ status, state }).toEqual({ status: 'error', state: 'kept' })
        expect(error).toMatchObject({ name: 'OutputLost', message: expect.stringMatching(LOST) })
        expect(stdout).toMatch(/^begin\n/)
      }
      expect(await text('taken')).toBe('4')
    })

    it('in the middle of a cell: that is stopped, and the next one runs', async (test) => {
      test.skip(!slow.isMet, slow.reason)
      faults.add({ on: 'POST /execute', cut: { afterBytes: 500, by: 'reset' } })
      const code = 'endless = 0\nprint("." * 1000)\nwhile True: endless += 1'
      const { state, error } = await sandbox.execute(code)
      expect({ state, name: error?.name }).toEqual({ state: 'kept', name: 'OutputLost' })
      expect(await text('endless > 0')).toBe('True')
    })

    it('before the cell: it did not run, and the next one does', async () => {
      faults.add({ on: 'POST /execute', answer: { status: 503, body: 'busy' } })
      const { status, state, error } = await sandbox.execute('open("/tmp/ran", "w")')
      expect({ status, state }).toEqual({ status: 'error', state: 'kept' })
      expect(error?.message).toMatch(/the cell never ran/)
      expect(await text('import os\nos.path.exists("/tmp/ran"), kept')).toBe('(False, 5)')
    })
  })

  it('whose cell will not stop is started again, without what the cell has started', async () => {
    const stubborn = [
      'import signal, subprocess',
      'child = subprocess.Popen(["sleep", "1234"])',
      'signal.signal(signal.SIGINT, signal.SIG_IGN)',
      'while True: pass',
    ]
    const { status, state } = await sandbox.execute(stubborn.join('\n'), { timeoutMs: 200 })
    expect({ status, state }).toEqual({ status: 'timeout', state: 'lost' })
    expect(await text('import os\n"kept" in globals(), os.popen("ps -eo args | grep -c [s]leep.1234").read()')).toBe(
      "(False, '0\\n')",
    )
    expect(await text('double(4)')).toBe('8')
  })

  it('that ends in the middle of a cell says so, and begins anew', async (test) => {
    test.skip(!slow.isMet, slow.reason)
    const { status, state, reason, error } = await sandbox.execute('import os\nos._exit(3)')
    expect({ status, state, reason }).toEqual({ status: 'crashed', state: 'lost', reason: 'exit' })
    expect(error?.message).toMatch(/has ended its kernel; the cell ran, and some of its output may be lost$/)
    expect(await text('double(4)')).toBe('8')
  })

  it('of a sandbox that is there already is left without our context', async (test) => {
    test.skip(isCloud || !slow.isMet, slow.reason)
    const own = await E2bSandbox.create({ ...connection })
    await using other = e2b({ ...connection, backend: 'jupyter', sandboxId: own.sandboxId })
    const box = await other.open()
    await box.execute('x = 1')
    expect(await own.listCodeContexts()).toHaveLength(2)
    await box.close()
    expect(await own.listCodeContexts()).toHaveLength(1)
    expect(sandboxes.has(own.sandboxId)).toBe(true)
    await own.kill()
  })

  it('is missed, with what to do, in a template that has none', async (test) => {
    test.skip(isCloud || !slow.isMet, slow.reason)
    const opening = e2b({ ...connection, backend: 'jupyter', template: 'base' }).open()
    await expect(opening).rejects.toMatchObject({ code: 'KERNEL_START_FAILED', hint: /The template has none/ })
  })

  it('cannot be suspended', async () => {
    expect(sandbox.suspend).toBeUndefined()
    await expect(executor.open({ resume: 'x.1.y' })).rejects.toMatchObject({ code: 'OPTION_UNSUPPORTED' })
  })
})
