import type { Snippets } from './snippets.ts'

/** The table of Python, which shows what each snippet is meant to do. */
export const PYTHON_SNIPPETS: Snippets = {
  setX: 'x = 40',
  useX: 'x + 2',
  overLines: 'sum(\n    n\n    for n in range(5)\n)',
  fail: 'print("before")\n1 / 0',
  failure: /ZeroDivisionError: division by zero/,
  malformed: 'x = = 1',
  twoStreams: 'import sys\nprint("out")\nprint("err", file=sys.stderr)',
  flood: 'print("begin")\nprint("x" * 100_000)\nprint("end")',
  endless: 'print("partial", flush=True)\nwhile True: pass',
  stubborn:
    'print("partial", flush=True)\nimport signal\nsignal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())\nwhile True: pass',
  exit: 'import os\nos._exit(3)',
  callTool: 'add(1, 2)',
  catchToolError: 'try:\n    refuse()\nexcept Exception as error:\n    print(error)',
  breakOutput: 'import sys\nsys.stdout = None',
}
