import { expect } from 'vitest'
import { type FaultCase, lines } from './fault.ts'
import type { Trial } from './trial.ts'

/** Tools called wrongly, in crowds, at the wrong time; and tools that fail. */
export const TOOL_CALLS: readonly FaultCase[] = [
  {
    promise: 'tools.threads',
    title: 'five hundred calls in flight',
    async run(trial) {
      const before = trial.bait.waiting
      const code = lines(
        'import threading',
        'threading.stack_size(256 * 1024)',
        'threads = [threading.Thread(target=wait, daemon=True) for _ in range(100)]',
        'for one in threads: one.start()',
        'import asyncio',
        'await asyncio.gather(*(wait.aio() for _ in range(400)))',
      )
      const run = trial.execute(code, { timeoutMs: 2500 })
      await expect.poll(() => trial.bait.waiting - before, { timeout: 2400 }).toBe(500)
      expect((await run).status).toBe('timeout')
      expect(trial.bait.stopped, 'calls that were told to stop').toBe(500)
    },
  },
  {
    promise: 'tools',
    title: 'five hundred answers at once, each to its own call',
    async run(trial) {
      const code = 'import asyncio\nawait asyncio.gather(*(echo.aio(n) for n in range(500))) == list(range(500))'
      expect(await trial.evaluate(code)).toBe('True')
    },
  },
  {
    promise: 'tools.threads',
    title: 'a call from a thread after its cell ended is refused',
    async run(trial) {
      const late = lines(
        'import threading, time',
        'told = []',
        'def late():',
        '    time.sleep(0.3)',
        '    try: told.append(canary())',
        '    except Exception as error: told.append(error)',
        'thread = threading.Thread(target=late)',
        'thread.start()',
      )
      await trial.play([{ code: late, expect: { status: 'ok' } }])
      await new Promise((resolve) => setTimeout(resolve, 800))
      expect(await trial.evaluate('thread.join()\ntold')).toMatch(/^\[RuntimeError\(.*only while a cell runs/)
    },
  },
  {
    promise: 'tools',
    title: 'a call that waits when the process dies is told to stop',
    async run(trial) {
      const code = 'import os, threading\nthreading.Timer(0.5, os._exit, [3]).start()\nwait()'
      expect(await trial.execute(code)).toMatchObject({ status: 'crashed', reason: 'exit' })
      expect(trial.bait).toMatchObject({ stopped: 1, waiting: 0 })
    },
  },
  {
    promise: 'tools',
    title: 'a call at the exit of the interpreter is not run',
    async run(trial) {
      await trial.play([
        { code: 'import atexit\n_ = atexit.register(canary)', expect: { status: 'ok' } },
        { code: 'import os\nos._exit(0)', expect: { status: 'crashed' } },
      ])
    },
  },
  {
    promise: 'tools',
    title: "a tool's failure is name and message, without stack, cause or path",
    async run(trial) {
      const code = lines(
        'import traceback',
        'try: fail()',
        'except Exception as error:',
        '    print(type(error).__name__, error, error.__cause__, error.__context__, vars(error))',
        '    traceback.print_exc()',
      )
      const { stdout, stderr } = await trial.execute(code)
      expect(stdout).toMatch(/^ToolError RangeError: out of luck None None/)
      expect(stdout + stderr).not.toContain('/host/path')
    },
  },
  {
    promise: 'tools',
    title: 'wrong calls are errors in the code, and run nothing',
    async run(trial) {
      const calls = ['canary(1)', 'canary(x=1)', 'canary(**{"__proto__": 1})', 'echo()', 'echo(1, value=2)']
      const attempt = (call: string) => `try:\n    ${call}\n    print("ran")\nexcept TypeError: print("TypeError")\n`
      const { stdout } = await trial.execute(calls.map(attempt).join(''))
      expect(stdout).toBe('TypeError\n'.repeat(calls.length))
    },
  },
  {
    promise: 'tools',
    title: 'a crowd of forged calls',
    async run(trial) {
      const { status } = await trial.execute(CROWD, { timeoutMs: 5000 })
      expect(status).toMatch(/^(ok|crashed|timeout)$/)
      expect(trial.bait.waiting, 'calls that are left waiting').toBe(0)
      isSmall(trial)
    },
  },
]

/** A hundred thousand calls that are never answered, written past the functions that wait for answers. */
const CROWD = lines(
  'import os',
  'fds = [n for n in map(int, os.listdir("/proc/self/fd")) if n > 2]',
  'body = b\'{"name":"wait","args":[],"kwargs":{}}\'',
  'for n in range(0, 100_000, 100):',
  '    frames = b"".join(b"call 9 1 x%d %d\\n%s" % (m, len(body), body) for m in range(n, n + 100))',
  '    for fd in fds:',
  '        try: os.write(fd, frames)',
  '        except OSError: pass',
)

function isSmall({ bait }: Trial): void {
  expect(bait.stopped, 'calls that were let through').toBeLessThan(2000)
}
