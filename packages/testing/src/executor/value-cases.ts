import { expect } from 'vitest'
import { writeMatplotlib } from './matplotlib.ts'
import { evaluate, type Subject, stdoutOf } from './subject.ts'

export function valueCases(subject: Subject): void {
  subject.promiseInOneSession('value', (it) => {
    it('gives the last expression', async (sandbox) => {
      expect(await evaluate(sandbox, 'x = 2\nx ** 10')).toBe('1024')
    })

    it('gives a last expression that spans lines', async (sandbox) => {
      expect(await evaluate(sandbox, 'sum(\n    n\n    for n in range(5)\n)')).toBe('10')
    })

    it('gives nothing for a statement or for None', async (sandbox) => {
      expect(await evaluate(sandbox, 'x = 1')).toBeUndefined()
      expect(await evaluate(sandbox, 'None')).toBeUndefined()
    })

    it('runs the code exactly once, also when it fails', async (sandbox) => {
      await sandbox.execute('n = 0')
      await sandbox.execute('n += 1\nn / 0')
      expect(await evaluate(sandbox, 'n')).toBe('1')
    })

    it('takes top-level await', async (sandbox) => {
      expect(await evaluate(sandbox, 'import asyncio\nawait asyncio.sleep(0.01)\nawait asyncio.sleep(0, 7)')).toBe('7')
    })

    it('survives a value whose repr fails', async (sandbox) => {
      const value = await evaluate(
        sandbox,
        'class Bad:\n    def __repr__(self):\n        raise ValueError("no")\nBad()',
      )
      expect(value).toContain('ValueError')
    })

    it('survives a value with lone surrogates', async (sandbox) => {
      expect(await evaluate(sandbox, '"\\udfff"')).toBe("'\\udfff'")
    })

    it('prints and gives a value at once', async (sandbox) => {
      expect(await stdoutOf(sandbox, 'print("hi")\n5')).toBe('hi\n')
    })
  })

  subject.promiseInOneSession('display', (it) => {
    it('gives the forms that a value knows', async (sandbox) => {
      const code =
        'class Table:\n    def __repr__(self): return "table"\n    def _repr_html_(self): return "<b>t</b>"\nTable()'
      const { value } = await sandbox.execute(code)
      expect(value).toEqual({ 'text/plain': 'table', 'text/html': '<b>t</b>' })
    })

    it(
      'shows figures of matplotlib by themselves, once',
      async (sandbox) => {
        await writeMatplotlib(sandbox)
        const drawn = await sandbox.execute('import matplotlib.pyplot as plt\nplt.plot(1)\nplt.plot(1)')
        expect(drawn.displays.map((bundle) => bundle['image/png'])).toEqual(['UE5HMQ==', 'UE5HMQ=='])
        expect((await sandbox.execute('1')).displays).toEqual([])
        const last = await sandbox.execute('plt.plot(2)\nplt.figure(0)')
        expect([last.value?.['image/png'], last.displays]).toEqual(['UE5HMg==', []])
      },
      'figures',
    )

    it(
      'shows figures of matplotlib where the code says so',
      async (sandbox) => {
        await writeMatplotlib(sandbox)
        let seen = ''
        const code = [
          'import matplotlib.pyplot as plt',
          'for n, word in (1, "first"), (2, "second"):',
          '    plt.plot(n)',
          '    plt.show()',
          '    print(word)',
        ]
        for await (const event of sandbox.execute(code.join('\n'))) {
          if (event.type === 'display') seen += `${event.bundle['image/png']}\n`
          if (event.type === 'stdout-delta') seen += event.text
        }
        expect(seen.split('\n').sort()).toEqual(['', 'UE5HMQ==', 'UE5HMg==', 'first', 'second'])
        expect(seen.indexOf('UE5HMQ==')).toBeLessThan(seen.indexOf('second'))
        expect(seen.indexOf('first')).toBeLessThan(seen.indexOf('UE5HMg=='))
      },
      'figures',
    )

    it('shows values in the middle of a cell', async (sandbox) => {
      const { displays } = await sandbox.execute('for n in (1, 2):\n    display(n)')
      expect(displays.map((bundle) => bundle['text/plain'])).toEqual(['1', '2'])
    })
  })
}
