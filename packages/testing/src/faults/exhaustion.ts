import { expect } from 'vitest'
import { type Fault, type FaultCase, lines } from './fault.ts'

const STOPPED = { status: 'timeout', error: { name: 'TimeoutError' } }
/** What a compiler does with a bomb differs from version to version; it must not be a hang, nor silence. */
const REFUSED = { status: expect.stringMatching(/^(error|crashed)$/), error: { traceback: expect.any(String) } }
const FULL = expect.stringMatching(/No space left|Disk quota|File too large/)

/** Time, memory, processes, files and the stack, used up. */
export const EXHAUSTION: readonly (Fault | FaultCase)[] = [
  ...[
    ['a power with a hundred million digits', '10 ** 10 ** 8'],
    ['a sum over a range without end', 'sum(range(10 ** 12))'],
    ['a regular expression that goes back for ever', 'import re\nre.match(r"(a+)+$", "a" * 60 + "b")'],
    ['a sleep of thirty years', 'import time\ntime.sleep(1e9)'],
  ].map(([title = '', code = '']): Fault => ({ promise: 'timeout', title, code, timeoutMs: 800, expect: STOPPED })),
  {
    promise: 'timeout',
    title: 'two hundred forks that stay, and a parent that does not end',
    code: lines(
      'import os, time',
      'for _ in range(200):',
      '    if os.fork() == 0:',
      '        time.sleep(600)',
      '        os._exit(0)',
      'print("forked", flush=True)',
      'while True: pass',
    ),
    timeoutMs: 2000,
    expect: { ...STOPPED, stdout: 'forked\n' },
  },
  {
    promise: 'limits.processes',
    title: 'a fork bomb',
    code: 'import os\nwhile True: os.fork()',
    timeoutMs: 3000,
    expect: { status: expect.stringMatching(/^(error|crashed|timeout)$/) },
  },
  {
    promise: 'limits.memory',
    title: 'memory that is taken until there is none',
    code: 'held = []\nfor _ in range(800):\n    held.append(b"x" * 10 ** 7)',
    timeoutMs: 20_000,
    expect: { reason: 'memory' },
  },
  {
    promise: 'limits.processes.memory',
    title: 'memory that four child processes take between them',
    code: lines(
      'import subprocess, sys',
      'hold = "held = b\'x\' * 200_000_000; import time; time.sleep(3)"',
      'children = [subprocess.Popen([sys.executable, "-c", hold]) for _ in range(4)]',
      'assert all(child.wait() == 0 for child in children)',
    ),
    timeoutMs: 20_000,
    expect: REFUSED,
  },
  {
    promise: 'limits.memory',
    title: 'fifty megabytes of source that the code compiles itself',
    code: 'exec("x = 1\\n" * 8_000_000)',
    timeoutMs: 30_000,
    expect: REFUSED,
  },
  {
    promise: 'limits.memory',
    title: 'a leak over a thousand cells',
    async run(trial) {
      await trial.execute('held = []')
      for (let n = 0; n < 1000; n++) {
        const { reason } = await trial.execute('held.append(b"x" * 2 ** 20)')
        if (reason === 'memory') return
      }
      expect.fail('a gigabyte was held, and nobody minded')
    },
    isSlow: true,
  },
  {
    promise: 'limits.disk',
    title: 'a disk that is filled',
    code: 'with open("full", "wb") as file:\n    for _ in range(8000):\n        file.write(b"x" * 2 ** 20)',
    timeoutMs: 60_000,
    expect: { status: 'error', error: { name: 'OSError', message: FULL } },
    next: [{ code: 'import os\nos.remove("full")', expect: { status: 'ok' } }],
    isSlow: true,
  },
  {
    promise: 'output',
    title: 'descriptors opened until there are none',
    code: lines(
      'import errno, resource',
      'resource.setrlimit(resource.RLIMIT_NOFILE, (256, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))',
      'held = []',
      'try:',
      '    while True: held.append(open("/dev/null"))',
      'except OSError as error:',
      '    print(errno.errorcode[error.errno])',
    ),
    expect: { status: 'ok', stdout: 'EMFILE\n', state: 'kept' },
    next: [
      {
        code: 'print("and again")\nlen(held) > 100',
        expect: { stdout: 'and again\n', value: { 'text/plain': 'True' } },
      },
    ],
  },
  {
    promise: 'errors',
    title: 'input() and stdin, behind which is nobody',
    code: 'import sys\nprint(repr(sys.stdin.read()))\ninput("name? ")',
    expect: { status: 'error', state: 'kept', stdout: "''\n", error: { name: 'EOFError' } },
  },
  ...[
    ['a hundred thousand brackets', '"(" * 100_000'],
    ['a hundred thousand signs', '"-" * 100_000 + "1"'],
    ['a sum of fifty thousand terms', '"+".join(["1"] * 50_000) + " +"'],
    ['five hundred nested conditions', '"\\n".join(" " * n + "if 1:" for n in range(500))'],
  ].map(
    ([title = '', source = '']): Fault => ({
      promise: 'crash',
      title: `a compiler's bomb: ${title}`,
      code: `exec(compile(${source}, "bomb", "exec"))`,
      timeoutMs: 5000,
      expect: REFUSED,
    }),
  ),
  {
    promise: 'crash',
    title: "a cell that is itself a compiler's bomb",
    code: '('.repeat(100_000),
    expect: REFUSED,
  },
  {
    promise: 'errors',
    title: 'a source that is larger than any program',
    code: `x = "${'x'.repeat(10_000_001)}"`,
    expect: { status: 'error', state: 'kept', error: { message: expect.stringContaining('characters') } },
  },
  {
    promise: 'errors',
    title: 'a recursion without end',
    code: 'def f(): return f()\nf()',
    expect: { status: 'error', state: 'kept', error: { name: 'RecursionError' } },
  },
  {
    promise: 'crash',
    title: 'a recursion through C that overruns the stack',
    code: lines(
      'import sys',
      'sys.setrecursionlimit(10 ** 9)',
      'def f(n): return sorted([n], key=f) if n else n',
      'class Deep:',
      '    def __repr__(self): return repr([self])',
      'repr(Deep())',
    ),
    expect: REFUSED,
  },
]
