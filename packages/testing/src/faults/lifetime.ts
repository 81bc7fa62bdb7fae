import { expect } from 'vitest'
import { type Fault, lines } from './fault.ts'

const ok = { status: 'ok', state: 'kept' }

/** Threads and processes that outlive their cell, or take the kernel's place. */
export const LIFETIME: readonly Fault[] = [
  {
    promise: 'output.threads',
    title: 'a thread that is left waiting, and one that prints for ever',
    code: lines(
      'import threading, time',
      'def spam():',
      '    while True: print("spam")',
      'threading.Thread(target=time.sleep, args=(600,)).start()',
      'threading.Thread(target=spam, daemon=True).start()',
      '"done"',
    ),
    timeoutMs: 5000,
    expect: { ...ok, value: { 'text/plain': "'done'" } },
    next: [{ code: '"next"', timeoutMs: 5000, expect: { ...ok, value: { 'text/plain': "'next'" } } }],
  },
  {
    promise: 'hygiene',
    title: 'a child process that is left behind',
    code: 'import subprocess\nchild = subprocess.Popen(["sleep", "1000"])',
    expect: ok,
  },
  {
    promise: 'timeout',
    title: 'a child process that holds the output open while the cell is killed',
    code: lines(
      'import subprocess',
      'child = subprocess.Popen(["sleep", "1000"], start_new_session=True)',
      'while True:',
      '    try:',
      '        while True: pass',
      '    except BaseException: pass',
    ),
    timeoutMs: 500,
    expect: { status: 'timeout' },
  },
  {
    promise: 'hygiene.daemons',
    title: 'a daemon in a session of its own',
    code: lines(
      'import os, time',
      'if os.fork() == 0:',
      '    os.setsid()',
      '    if os.fork() == 0: os.execvp("sleep", ["sleep", "1000"])',
      '    os._exit(0)',
      'os.wait() and None',
    ),
    expect: ok,
  },
  {
    promise: 'state',
    title: 'a fork that returns twice from the cell',
    code: 'import os\nx = 1\npid = os.fork()\nif pid: os.waitpid(pid, 0)\nprint("parent" if pid else "child")\npid > 0',
    expect: { ...ok, stdout: 'child\nparent\n', value: { 'text/plain': 'True' } },
    next: [{ code: 'x', expect: { ...ok, value: { 'text/plain': '1' } } }],
  },
  {
    promise: 'tools',
    title: 'a fork that calls a tool as well',
    code: lines(
      'import os',
      'pid = os.fork()',
      'if pid == 0:',
      '    try: canary()',
      '    except RuntimeError as error: print(error)',
      '    os._exit(0)',
      'os.waitpid(pid, 0)',
      'canary() > 0',
    ),
    expect: { ...ok, stdout: expect.stringContaining('forked'), value: { 'text/plain': 'True' } },
    calls: 1,
  },
  {
    promise: 'output.child-processes',
    title: 'a pool of processes',
    code: 'import multiprocessing\nwith multiprocessing.get_context("fork").Pool(2) as pool:\n    squares = pool.map(abs, [-1, -2, -3])\nsquares',
    expect: { ...ok, value: { 'text/plain': '[1, 2, 3]' } },
  },
  {
    promise: 'crash',
    title: 'another program in place of the kernel, that ends',
    code: 'import os\nos.execv("/bin/sh", ["sh", "-c", "echo hello; exit 7"])',
    expect: { status: 'crashed', reason: expect.stringMatching(/^(exit|protocol)$/), stdout: 'hello\n' },
  },
  {
    promise: 'crash',
    title: 'another program in place of the kernel, that stays',
    code: 'import os\nos.execvp("sleep", ["sleep", "1000"])',
    timeoutMs: 8000,
    expect: { status: 'crashed', reason: 'protocol' },
  },
]
