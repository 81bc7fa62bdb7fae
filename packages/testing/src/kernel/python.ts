import type { Snippets } from './snippets.ts'

/** The table of Python, which shows what each snippet is meant to do. */
export const PYTHON_SNIPPETS: Snippets = {
  setX: 'x = 40',
  useX: 'x + 2',
  addToX: 'x += 1',
  define: 'def seven():\n    return 7',
  useDefined: 'seven()',
  enterFolder: 'import os\nos.mkdir("sub")\nos.chdir("sub")',
  printFolder: 'import os\nprint(os.getcwd())',
  overLines: 'sum(\n    n\n    for n in range(5)\n)',
  fail: 'print("before")\n1 / 0',
  failure:
    /Traceback \(most recent call last\):\n {2}Cell \d+, line 2\n {4}1 \/ 0\nZeroDivisionError: division by zero/,
  malformed: 'x = = 1',
  twoStreams: 'import sys\nprint("out")\nprint("err", file=sys.stderr)',
  slowly: 'import time\nprint("first")\ntime.sleep(0.5)\nprint("second")',
  flood: 'print("begin")\nprint("x" * 100_000)\nprint("end")',
  rawBytes: 'import os\n_ = os.write(1, b"a\\xff\\xfeb\\n")',
  childOutput: 'import subprocess\nprint("a")\n_ = subprocess.run(["echo", "b"])\nprint("c")',
  breakOutput: 'import sys\nsys.stdout = None',
  show:
    'class Shown:\n    def _repr_html_(self): return "<b>shown</b>"\n' +
    'print("before")\ndisplay(Shown())\nprint("after")',
  callTool: 'add(1, 2)',
  callByName: 'minus(b=2, a=5)',
  catchToolError: 'try:\n    refuse()\nexcept Exception as error:\n    print(error)',
  catchMisuse: 'try:\n    add(1)\nexcept Exception as error:\n    print(error)',
  passOn: 'take(tell())',
  endless: 'print("partial", flush=True)\nwhile True: pass',
  stubborn:
    'print("partial", flush=True)\nimport signal\nsignal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())\nwhile True: pass',
  leaveChild:
    'import subprocess\n' +
    'child = subprocess.Popen(["sh", "-c", "for n in $(seq 600); do echo >> alive; sleep 0.1; done"])',
  exit: 'import os\nos._exit(3)',
  die: 'import os, signal\nos.kill(os.getpid(), signal.SIGKILL)',
  copyFile: 'with open("in.txt", "rb") as source, open("out.txt", "wb") as target:\n    target.write(source.read())',
  linkOut: 'import os\nos.symlink("/etc/passwd", "link")',
}
