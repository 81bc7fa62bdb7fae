import type { Tool } from '@codeact/spec'
import { expect } from 'vitest'
import { clockCases } from './clock-cases.ts'
import { evaluate, type Subject, stdoutOf } from './subject.ts'
import { bareTool, INTEGER } from './tools.ts'

const SECRET = 'key-of-the-host-5d1f'

const add = bareTool('add', { a: INTEGER, b: INTEGER }, ({ a, b }) => Number(a) + Number(b))
const greet = bareTool(
  'greet',
  { name: {}, word: { default: 'Hello' } },
  ({ name, word = 'Hello' }) => `${word}, ${name}`,
  {
    required: ['name'],
  },
)
const fail = bareTool('fail', {}, () => {
  throw new RangeError('out of luck')
})
const sign = bareTool('sign', { text: {} }, ({ text }) => `${text}:${SECRET.length}`)

export function toolCases(subject: Subject): void {
  const withTools = (...tools: Tool[]) => subject.open({}, { tools })

  subject.promise('tools', (it) => {
    it('are functions: positional, by keyword, with defaults', async () => {
      const sandbox = await withTools(add, greet)
      expect(await evaluate(sandbox, 'add(1, 2) + add(b=3, a=4)')).toBe('10')
      expect(await evaluate(sandbox, 'greet("Ada"), greet("Ada", word="Bye")')).toBe("('Hello, Ada', 'Bye, Ada')")
    })

    it('run in loops and inside functions of the code', async () => {
      const sandbox = await withTools(add)
      expect(await evaluate(sandbox, 'total = 0\nfor n in range(1, 11):\n    total = add(total, n)\ntotal')).toBe('55')
    })

    it('raise what can be caught', async () => {
      const sandbox = await withTools(fail)
      const code = 'try:\n    fail()\nexcept Exception as error:\n    print(type(error).__name__, error)'
      expect(await stdoutOf(sandbox, code)).toBe('ToolError RangeError: out of luck\n')
    })

    it('refuse arguments that do not fit, as Python does', async () => {
      const sandbox = await withTools(add)
      const attempt = (call: string) => `try:\n    ${call}\nexcept TypeError as error:\n    print(error)\n`
      const printed = await stdoutOf(sandbox, ['add(1)', 'add(1, 2, 3)', 'add(1, 2, c=3)'].map(attempt).join(''))
      expect(printed).toBe(
        'add(): is missing b\n' +
          'add() takes 2 positional arguments but 3 were given\n' +
          "add() got an unexpected argument 'c'; it takes a, b\n",
      )
    })

    it('run side by side when awaited together', async () => {
      const waiting: (() => void)[] = []
      // Each call waits until all have come, which one after the other would never be.
      const wait = bareTool('wait', { n: INTEGER }, async ({ n }) => {
        await new Promise<void>((resolve) => {
          waiting.push(resolve)
          if (waiting.length === 50) for (const go of waiting) go()
        })
        return n
      })
      const sandbox = await withTools(wait)
      const code = 'import asyncio\nsum(await asyncio.gather(*(wait.aio(n) for n in range(50))))'
      expect(await evaluate(sandbox, code)).toBe('1225')
    })

    it('can be called plainly inside async code', async () => {
      const sandbox = await withTools(add)
      const code = 'import asyncio\nasync def f():\n    return add(1, 2) + await add.aio(3, 4)\nawait f()'
      expect(await evaluate(sandbox, code)).toBe('10')
    })

    it(
      'can be called from threads',
      async () => {
        const sandbox = await withTools(add)
        const code =
          'from concurrent.futures import ThreadPoolExecutor\nwith ThreadPoolExecutor(8) as pool:\n' +
          '    total = sum(pool.map(lambda n: add(n, 1), range(40)))\ntotal'
        expect(await evaluate(sandbox, code)).toBe('820')
      },
      'threads',
    )

    it('keep their closures on the host', async () => {
      const sandbox = await withTools(sign)
      expect(await evaluate(sandbox, 'sign("a")')).toBe(`'a:${SECRET.length}'`)
      // The code must not hold the secret itself, not even in parts that the compiler would join.
      const codes = [...SECRET].map((character) => character.charCodeAt(0)).join(', ')
      const search = [
        'import gc, os',
        'seen = [repr(o)[:5000] for o in gc.get_objects() if isinstance(o, (bytes, dict, list, tuple))] + [repr(dict(os.environ))]',
        'def find(codes):',
        '    text = "".join(map(chr, codes))',
        '    return sum(text in one for one in seen)',
        `len(seen) > 100, find([${codes}])`,
      ]
      expect(await evaluate(sandbox, search.join('\n'))).toBe('(True, 0)')
    })

    it('describe themselves', async () => {
      const sandbox = await withTools(greet)
      expect(await evaluate(sandbox, 'import inspect\nstr(inspect.signature(greet)), greet.__doc__')).toBe(
        "(\"(name, word='Hello')\", 'The tool greet.')",
      )
    })

    it('are told when their cell is over', async () => {
      let aborted = false
      const slow = bareTool('slow', {}, (_input, { signal }) => {
        return new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            aborted = true
            resolve(null)
          })
        })
      })
      const sandbox = await withTools(slow)
      expect((await sandbox.execute('slow()', { timeoutMs: 300 })).status).toBe('timeout')
      expect(aborted).toBe(true)
    })

    it('can be taken over for one cell', async () => {
      const sandbox = await withTools(add)
      const onToolCall = async () => ({ ok: true, value: 'instead' }) as const
      const execution = await sandbox.execute('add(1, 2)', { onToolCall })
      expect(execution.value?.['text/plain']).toBe("'instead'")
      expect(await evaluate(sandbox, 'add(1, 2)')).toBe('3')
    })
  })

  clockCases(subject)
}
