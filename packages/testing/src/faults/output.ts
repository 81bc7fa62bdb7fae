import { expect } from 'vitest'
import { type Fault, lines } from './fault.ts'

const KEPT_BYTES = 1024 * 1024
const REPLACED = expect.stringContaining('\ufffd')
/** While the host reads a flood it does everything else as well. */
const FLOOD_DELAY_MS = 20
const EMPTY_LINES = 10_000_000
const restored = [{ code: 'print("back")', expect: { status: 'ok', stdout: 'back\n' } }]

/** Floods, bytes that are no text, and standard streams that are taken away. */
export const OUTPUT: readonly Fault[] = [
  {
    promise: 'output',
    title: 'a gigabyte on stdout',
    code: lines(
      'import sys',
      'print("begin")',
      'for _ in range(1024):',
      '    _ = sys.stdout.write("x" * 2 ** 20)',
      'print("\\nend")',
    ),
    timeoutMs: 50_000,
    expect: {
      status: 'ok',
      stdout: expect.stringMatching(/^begin\nx[\s\S]*x\nend\n$/),
      truncated: { stdout: 2 ** 30 + 'begin\n\nend\n'.length - KEPT_BYTES },
    },
    mostDelayMs: FLOOD_DELAY_MS,
  },
  {
    promise: 'output',
    title: 'one line of five hundred megabytes',
    code: lines(
      'import sys',
      '_ = sys.stdout.write("begin")',
      'for _ in range(500):',
      '    _ = sys.stdout.write("x" * 10 ** 6)',
      '_ = sys.stdout.write("end")',
    ),
    timeoutMs: 50_000,
    expect: {
      status: 'ok',
      stdout: expect.stringMatching(/^beginx[\s\S]*xend$/),
      truncated: { stdout: 500_000_000 + 'beginend'.length - KEPT_BYTES },
    },
    mostDelayMs: FLOOD_DELAY_MS,
  },
  {
    promise: 'output',
    title: `${EMPTY_LINES / 1e6} million empty lines`,
    code: `print("begin")\nfor _ in range(${EMPTY_LINES}): print()\nprint("end")`,
    timeoutMs: 150_000,
    expect: {
      status: 'ok',
      stdout: expect.stringMatching(/^begin\n{9}[\s\S]*\n{9}end\n$/),
      truncated: { stdout: EMPTY_LINES + 'begin\nend\n'.length - KEPT_BYTES },
    },
    isSlow: true,
    mostDelayMs: FLOOD_DELAY_MS,
  },
  {
    promise: 'output.threads',
    title: 'floods of stdout and stderr at once',
    code: lines(
      'import sys, threading',
      'def flood(stream):',
      '    for _ in range(64): _ = stream.write("y" * 2 ** 20)',
      'floods = [threading.Thread(target=flood, args=(stream,)) for stream in (sys.stdout, sys.stderr)]',
      'for one in floods: one.start()',
      'for one in floods: one.join()',
    ),
    timeoutMs: 60_000,
    expect: {
      status: 'ok',
      truncated: { stdout: 64 * 2 ** 20 - KEPT_BYTES, stderr: 64 * 2 ** 20 - KEPT_BYTES },
    },
  },
  {
    promise: 'timeout',
    title: 'printing without end',
    code: 'while True: print("spam " * 100)',
    timeoutMs: 1500,
    expect: { status: 'timeout', stdout: expect.stringMatching(/^spam /), truncated: { stdout: expect.any(Number) } },
  },
  {
    promise: 'display',
    title: 'showing without end',
    code: 'for _ in range(3000): display("x" * 100_000)',
    timeoutMs: 30_000,
    expect: { status: 'ok' },
  },
  {
    promise: 'display',
    title: 'a form of a hundred megabytes',
    code: 'class Page:\n    def __repr__(self): return "page"\n    def _repr_html_(self): return "x" * 10 ** 8\nPage()',
    expect: { status: 'ok', state: 'kept', value: { 'text/plain': expect.stringContaining('page') } },
  },
  {
    promise: 'output',
    title: 'random bytes',
    code: 'import os\n_ = os.write(1, os.urandom(2 ** 18))',
    expect: { status: 'ok', stdout: REPLACED },
  },
  {
    promise: 'output',
    title: 'zeros in what is printed',
    code: 'print("a\\0b")',
    expect: { status: 'ok', stdout: 'a\0b\n' },
  },
  {
    promise: 'errors',
    title: 'zeros in the code',
    code: 'x = 1\0',
    expect: { status: 'error', state: 'kept', error: { message: expect.stringContaining('null') } },
  },
  {
    promise: 'value',
    title: 'lone surrogates, printed, raised and returned',
    code: 'print("\\ud800")\nraise ValueError("\\udfff")',
    expect: { status: 'error', state: 'kept', error: { name: 'ValueError' } },
    next: [{ code: '"\\udfff"', expect: { status: 'ok', value: { 'text/plain': "'\\udfff'" } } }],
  },
  ...[
    'import sys\nsys.stdout = None\nsys.stderr = None',
    'import sys\nsys.stdout.close()\nsys.stderr.close()\nsys.__stdout__ = None',
    'import os\nos.close(1)\nos.close(2)\nos.close(0)',
    'import os\nnull = os.open("/dev/null", os.O_WRONLY)\nos.dup2(null, 1)\nos.dup2(null, 2)',
    'import io, sys\nsys.stdout = io.StringIO()\nsys.stdout.write = None',
  ].map(
    (code): Fault => ({
      promise: 'output',
      title: `streams taken away: ${code.split('\n').slice(1).join('; ')}`,
      code,
      expect: { status: expect.stringMatching(/^(ok|error)$/), state: 'kept' },
      next: restored,
    }),
  ),
  {
    promise: 'output.child-processes',
    title: 'what child processes, the fault handler and C print',
    code: lines(
      'import ctypes, faulthandler, subprocess',
      'print("a")',
      'subprocess.run(["/bin/echo", "b"])',
      'faulthandler.dump_traceback()',
      '_ = ctypes.CDLL(None).printf(b"c\\n")',
    ),
    expect: { status: 'ok', stdout: 'a\nb\nc\n', stderr: expect.stringContaining('Current thread') },
  },
  {
    promise: 'value',
    title: 'a value of a hundred million characters',
    code: '"x" * 10 ** 8',
    expect: {
      status: 'ok',
      value: { 'text/plain': expect.stringMatching(/^'x+\n\[… \d+ characters left out …\]\nx+'$/) },
    },
  },
]
