import { expect } from 'vitest'
import { type Fault, lines } from './fault.ts'

const STOPPED = { status: 'timeout', state: 'kept' }
const text = (plain: unknown) => ({ status: 'ok', state: 'kept', value: { 'text/plain': plain } })
const told = text(expect.any(String))

function nasty(method: string, body: string): string {
  return `class Nasty:\n    def ${method}(self, *_):\n        ${body}\nNasty()`
}

/** Values that do not want to be shown, or have no form on the wire. */
export const VALUES: readonly Fault[] = [
  ...['__repr__', '__len__', '__iter__', '__eq__', '__hash__', '__getattr__', '__getattribute__', '__bool__'].map(
    (method): Fault => ({
      promise: 'value',
      title: `a value whose ${method} raises`,
      code: nasty(method, 'raise OSError("no")'),
      expect: told,
    }),
  ),
  {
    promise: 'value',
    title: 'a value whose __class__ raises',
    code: 'class Nasty:\n    @property\n    def __class__(self): raise OSError("no")\nNasty()',
    expect: { status: expect.stringMatching(/^(ok|error)$/), state: 'kept' },
  },
  {
    promise: 'value',
    title: 'a value whose __repr__ leaves, or gives no text',
    code: nasty('__repr__', 'raise SystemExit("no")'),
    expect: { status: 'error', state: 'kept', error: { name: 'SystemExit' } },
    next: [{ code: nasty('__repr__', 'return 5'), expect: text(expect.stringContaining('TypeError')) }],
  },
  ...['while True: pass', '__import__("time").sleep(600)'].map(
    (body): Fault => ({
      promise: 'timeout',
      title: `a value whose __repr__ does not end: ${body}`,
      code: nasty('__repr__', body),
      timeoutMs: 500,
      expect: STOPPED,
    }),
  ),
  { promise: 'value', title: 'a list that contains itself', code: 'x = []\nx.append(x)\nx', expect: text('[[...]]') },
  {
    promise: 'value',
    title: 'a list of a hundred thousand levels',
    code: 'x = []\nfor _ in range(100_000): x = [x]\nx',
    expect: text(expect.stringMatching(/RecursionError|…/)),
  },
  {
    promise: 'value',
    title: 'a dictionary of a million keys',
    code: '{n: n for n in range(1_000_000)}',
    expect: text(expect.stringMatching(/^\{0: 0.*characters left out.*999999\}$/s)),
  },
  {
    promise: 'value',
    title: 'keys and members of many types',
    code: '{(1, 2): {3}, b"x": None, None: 1.5, frozenset(): ...}',
    expect: text("{(1, 2): {3}, b'x': None, None: 1.5, frozenset(): Ellipsis}"),
  },
  {
    promise: 'value',
    title: 'an integer of five thousand digits',
    code: '10 ** 5000',
    expect: text(expect.stringMatching(/^(10{5000}|<int whose repr\(\) raised ValueError>)$/)),
  },
  {
    promise: 'value',
    title: 'numbers at the edges',
    code: 'import datetime, decimal\n-0.0, float("nan"), float("-inf"), 2 ** 63, decimal.Decimal("0.1"), datetime.date(2024, 2, 29)',
    expect: text("(-0.0, nan, -inf, 9223372036854775808, Decimal('0.1'), datetime.date(2024, 2, 29))"),
  },
  {
    promise: 'tools',
    title: 'arguments that have no form on the wire are refused in the code',
    code: lines(
      'loop = []',
      'loop.append(loop)',
      'deep = []',
      'for _ in range(5000): deep = [deep]',
      'for value in (loop, deep, 10 ** 200_000, object(), print, 1j):',
      '    try: echo(value)',
      '    except TypeError as error: print("TypeError")',
    ),
    expect: { status: 'ok', stdout: 'TypeError\n'.repeat(6) },
  },
  {
    promise: 'tools',
    title: 'an argument of a hundred megabytes is refused in the code',
    code: 'try:\n    echo("x" * 10 ** 8)\nexcept Exception as error:\n    print(type(error).__name__, error)\necho("y")',
    expect: { ...text("'y'"), stdout: expect.stringMatching(/^ValueError .*100000\d\d\d bytes/) },
  },
  {
    promise: 'tools',
    title: 'keys that mean something to the host',
    code: lines(
      'odd = {"__proto__": {"polluted": 1}, "constructor": {"prototype": {"polluted": 1}}, "then": "now", "toString": None}',
      'echo(odd) == odd, list(echo(odd))',
    ),
    expect: text("(True, ['__proto__', 'constructor', 'then', 'toString'])"),
  },
]
