import { expect } from 'vitest'
import { type Fault, lines } from './fault.ts'

const STOPPED = { status: 'timeout', error: { name: 'TimeoutError' } }
const raised = (name: string) => ({ status: 'error', state: 'kept', error: { name } })
const diedOf = (signal: string) => ({
  status: 'crashed',
  reason: 'signal',
  error: { message: expect.stringContaining(signal) },
})

/** Ends that the code makes for itself, and ends that it refuses. */
export const CONTROL_FLOW: readonly Fault[] = [
  ...['import sys\nsys.exit(0)', 'import sys\nsys.exit("bye")', 'quit()', 'raise SystemExit(object())'].map(
    (code): Fault => ({ promise: 'errors', title: `an exit: ${code}`, code, expect: raised('SystemExit') }),
  ),
  ...[
    ['KeyboardInterrupt', 'raise KeyboardInterrupt'],
    ['GeneratorExit', 'raise GeneratorExit'],
    ['Own', 'class Own(BaseException): pass\nraise Own("x")'],
    ['StopIteration', 'raise StopIteration(1)'],
    ['StopAsyncIteration', 'raise StopAsyncIteration'],
    ['CancelledError', 'import asyncio\nraise asyncio.CancelledError'],
    ['Odd', 'class Odd(Exception):\n    def __str__(self): raise SystemExit("no")\nraise Odd()'],
  ].map(
    ([name = '', code = '']): Fault => ({
      promise: 'errors',
      title: `an unusual exception: ${name}`,
      code,
      expect: raised(name),
    }),
  ),
  {
    promise: 'errors',
    title: 'a chain of ten thousand causes',
    code: lines(
      'error = ValueError("0")',
      'for n in range(1, 10_000):',
      '    cause, error = error, ValueError(str(n))',
      '    error.__cause__ = cause',
      'raise error',
    ),
    expect: raised('ValueError'),
  },
  {
    promise: 'errors',
    title: 'a message of a hundred million characters',
    code: 'raise ValueError("x" * 10 ** 8)',
    expect: raised('ValueError'),
  },
  {
    promise: 'errors',
    title: 'a group of a hundred thousand exceptions',
    code: 'raise ExceptionGroup("many", [ValueError(n) for n in range(100_000)])',
    expect: { status: 'error', state: 'kept', error: { name: expect.stringMatching(/^(ExceptionGroup|NameError)$/) } },
  },
  {
    promise: 'crash',
    title: 'an exit of the process with success',
    code: 'import os\nprint("last", flush=True)\nos._exit(0)',
    expect: { status: 'crashed', reason: 'exit', stdout: 'last\n' },
  },
  ...[
    ['SIGABRT', 'import os\nos.abort()'],
    ['SIGKILL', 'import os\nos.kill(os.getpid(), 9)'],
    ['SIGSEGV', 'import ctypes\nctypes.string_at(0)'],
    ['SIGALRM', 'import signal, time\nsignal.setitimer(signal.ITIMER_REAL, 0.2)\ntime.sleep(5)'],
  ].map(
    ([signal = '', code = '']): Fault => ({
      promise: 'crash.signals',
      title: `a death of ${signal}`,
      code,
      expect: diedOf(signal),
    }),
  ),
  {
    promise: 'timeout',
    title: 'interrupts that are swallowed',
    code: lines(
      'while True:',
      '    try:',
      '        while True:',
      '            try:',
      '                while True: pass',
      '            except BaseException: pass',
      '    except BaseException: pass',
    ),
    timeoutMs: 500,
    expect: STOPPED,
  },
  {
    promise: 'timeout',
    title: 'signals that are ignored and masked',
    code: lines(
      'import signal',
      'for one in (signal.SIGINT, signal.SIGTERM, signal.SIGIO): signal.signal(one, signal.SIG_IGN)',
      '_ = signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())',
      'while True: pass',
    ),
    timeoutMs: 500,
    expect: STOPPED,
  },
  {
    promise: 'timeout',
    title: 'a mask that outlives its cell',
    code: 'import signal\nsignal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals()) and None',
    expect: { status: 'ok' },
    next: [{ code: 'while True: pass', timeoutMs: 500, expect: { ...STOPPED, state: 'kept' } }],
  },
  ...[
    [
      'a finally that sleeps',
      'try:\n    while True: pass\nfinally:\n    while True:\n        try: time.sleep(600)\n        except BaseException: pass',
    ],
    [
      'a generator that does not close',
      'def g():\n    try: yield\n    finally:\n        while True:\n            try: time.sleep(600)\n            except BaseException: pass\none = g()\nnext(one)\none.close()',
    ],
    [
      'a finalizer that blocks',
      'class Held:\n    def __del__(self):\n        while True:\n            try: time.sleep(600)\n            except BaseException: pass\nx = Held()\ndel x',
    ],
    [
      'a task that does not let itself be cancelled',
      'import asyncio\nasync def f():\n    while True:\n        try: await asyncio.sleep(600)\n        except BaseException: pass\nawait f()',
    ],
  ].map(
    ([title = '', code = '']): Fault => ({
      promise: 'timeout',
      title,
      code: `import time\n${code}`,
      timeoutMs: 500,
      expect: STOPPED,
    }),
  ),
]
