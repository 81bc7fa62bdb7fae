import { expect } from 'vitest'
import { type Fault, lines } from './fault.ts'

/** Finds every descriptor that the kernel keeps, and offers `say(bytes)` to write to them all. */
const SAY = lines(
  'import os',
  'def say(data):',
  '    for n in sorted(map(int, os.listdir("/proc/self/fd"))):',
  '        if n > 2:',
  '            try: os.write(n, data)',
  '            except OSError: pass',
)

const KERNEL_LOST = { status: 'crashed', reason: 'protocol', state: expect.not.stringContaining('kept') }

const sixIsSix = [
  { code: 'print("still")\n6', expect: { status: 'ok', stdout: 'still\n', value: { 'text/plain': '6' } } },
]
/** Either all works on, or the next cell says that nothing does; it never answers wrongly. */
const wellOrDead = { status: expect.stringMatching(/^(ok|error|crashed)$/) }

function patched(code: string): Fault {
  return {
    promise: 'state',
    title: `patched: ${code.split('\n').at(-1)}`,
    code,
    expect: { status: 'ok' },
    next: sixIsSix,
  }
}

/** Forged frames, a damaged interpreter, and everything that a kernel might have stood on. */
export const TAMPERING: readonly Fault[] = [
  {
    promise: 'output',
    title: 'frames that are printed',
    code: lines(
      'import sys',
      'for stream in (sys.stdout, sys.stderr):',
      '    for frame in (b"done 9 1 - 11\\n{\\"ok\\":true}", b"call 9 1 t1 42\\n{\\"name\\":\\"canary\\",\\"args\\":[],\\"kwargs\\":{}}   "):',
      '        _ = stream.buffer.write(frame) if hasattr(stream, "buffer") else stream.write(frame.decode())',
      '    stream.flush()',
      '"true end"',
    ),
    expect: {
      status: 'ok',
      stdout: expect.stringContaining('done 9 1'),
      stderr: expect.stringContaining('call 9 1'),
      value: { 'text/plain': "'true end'" },
    },
  },
  {
    promise: 'crash',
    title: 'frames of other cells, and results of calls that nobody made',
    code: `${SAY}\nsay(b'done 9 1 cell_of_another 11\\n{"ok":true}')\nsay(b'display 9 1 - 2\\n{}')\n"true end"`,
    expect: { status: 'ok', value: { 'text/plain': "'true end'" }, displays: [] },
  },
  {
    promise: 'tools',
    title: 'forged calls of tools get no more than calls do',
    code: lines(
      SAY,
      'def call(id, text): say(b"call 9 1 " + id + b" %d\\n" % len(text) + text)',
      `call(b"f1", b'{"name":"__proto__","args":[],"kwargs":{}}')`,
      `call(b"f2", b'{"name":"constructor","args":[],"kwargs":{}}')`,
      `call(b"f3", b'{"name":"canary","args":[1,2,3],"kwargs":{}}')`,
      'import time\ntime.sleep(0.3)\n"true end"',
    ),
    expect: { status: 'ok', value: { 'text/plain': "'true end'" } },
  },
  {
    promise: 'tools',
    title: 'one call id, used twice at once',
    code: `${SAY}\nframe = b'call 9 1 twice 38\\n{"name":"wait","args":[],"kwargs":{}}  '\nsay(frame)\nsay(frame)\nwhile True: pass`,
    timeoutMs: 5000,
    expect: KERNEL_LOST,
  },
  ...[
    ['a length beyond all bounds', 'done 9 1 - 2147483648\\n'],
    ['a negative length', 'done 9 1 - -5\\n'],
    ['a length that is no number', 'done 9 1 - NaN\\n'],
    ['bytes that are no frame', '\\x00\\xff\\n\\xfe'],
    ['a header without end', 'd" * 100000 + b"'],
  ].map(
    ([title = '', bytes = '']): Fault => ({
      promise: 'crash',
      title: `a frame with ${title}`,
      code: `${SAY}\nsay(b"${bytes}")\nwhile True: pass`,
      timeoutMs: 5000,
      expect: KERNEL_LOST,
    }),
  ),
  {
    promise: 'timeout',
    title: 'half a frame, and then nothing',
    code: `${SAY}\nsay(b"done 9 1 - 1000\\n{")\nwhile True:\n    try:\n        while True: pass\n    except BaseException: pass`,
    timeoutMs: 500,
    expect: { status: 'timeout' },
  },
  {
    promise: 'crash',
    title: 'descriptors that are closed',
    code: 'import os\nos.closerange(3, 1024)',
    timeoutMs: 5000,
    expect: { status: 'crashed', reason: expect.stringMatching(/^(exit|protocol)$/) },
  },
  ...[
    'import json\njson.dumps = json.loads = None',
    'import builtins\nbuiltins.compile, builtins.exec, builtins.eval, builtins.open = (lambda *a, **k: 5,) * 4',
    'import builtins\nbuiltins.isinstance = builtins.len = builtins.repr = builtins.getattr = builtins.type = lambda *a: 1 / 0',
    'import sys\nsys.stdout.write = lambda text: None',
    'import os, threading, time\nos.write = os.read = threading.Lock = time.monotonic = time.sleep = None',
    'import sys\nsys.excepthook = sys.displayhook = sys.stdin = None',
    'import sys\nsys.settrace(lambda *a: 1 / 0)',
    'import sys\nsys.setprofile(lambda *a: None)',
    'import sys\nsys.setrecursionlimit(60)',
    'import gc\ngc.disable()\ngc.set_threshold(1)',
    'import sys\ndel sys.modules["json"], sys.modules["os"]',
    'import sys\nsys.meta_path.clear(); sys.path.clear(); sys.path_hooks.clear()',
  ].map(patched),
  ...['import sys\nsys.modules.clear()', 'import builtins\nbuiltins.__dict__.clear()', 'del __builtins__'].map(
    (code): Fault => ({ promise: 'crash', title: `taken away: ${code.split('\n').at(-1)}`, code, expect: wellOrDead }),
  ),
  {
    promise: 'tools',
    title: "the host's secrets, sought in the kernel",
    code: lines(
      'import gc, inspect, os, sys',
      'frame, found = sys._getframe(), []',
      'while frame: found.append(repr(frame.f_globals)[:100_000] + repr(frame.f_locals)[:100_000]); frame = frame.f_back',
      'found += [repr(one)[:2000] for one in gc.get_objects() if isinstance(one, (dict, list, tuple, str, bytes))]',
      'found.append(repr(inspect.stack()) + repr(os.environ) + repr(vars(sys.modules["__main__"])))',
      'for at in range(0, len(found), 1000): print("".join(found[at:at + 1000])[:20_000])',
    ),
    expect: { status: 'ok', stdout: expect.not.stringContaining('node_modules') },
  },
]
