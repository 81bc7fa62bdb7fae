import { expect } from 'vitest'
import { evaluate, type Subject, stdoutOf } from './subject.ts'

export function valueCases(subject: Subject): void {
  subject.promise('value', (it) => {
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

  subject.promise('display', (it) => {
    it('gives the forms that a value knows', async (sandbox) => {
      const code =
        'class Table:\n    def __repr__(self): return "table"\n    def _repr_html_(self): return "<b>t</b>"\nTable()'
      const { value } = await sandbox.execute(code)
      expect(value).toEqual({ 'text/plain': 'table', 'text/html': '<b>t</b>' })
    })

    it('shows figures of matplotlib by themselves, once', async (sandbox) => {
      // A stand-in with the few functions that are asked: the library itself is large, and not part of the contract.
      const pyplot = [
        'from matplotlib.figure import Figure',
        '_figures = {}',
        'def plot(n): _figures[n] = Figure()',
        'def get_fignums(): return list(_figures)',
        'def figure(n): return _figures[n]',
        'def close(which): _figures.clear()',
      ]
      await sandbox.files.write('matplotlib/__init__.py', '')
      await sandbox.files.write(
        'matplotlib/figure.py',
        'class Figure:\n    def savefig(self, file, **_): file.write(b"PNG")',
      )
      await sandbox.files.write('matplotlib/pyplot.py', pyplot.join('\n'))
      const drawn = await sandbox.execute('import matplotlib.pyplot as plt\nplt.plot(1)\nplt.plot(2)')
      expect(drawn.displays.map((bundle) => bundle['image/png'])).toEqual(['UE5H', 'UE5H'])
      expect((await sandbox.execute('1')).displays).toEqual([])
    })

    it('shows values in the middle of a cell', async (sandbox) => {
      const { displays } = await sandbox.execute('for n in (1, 2):\n    display(n)')
      expect(displays.map((bundle) => bundle['text/plain'])).toEqual(['1', '2'])
    })
  })
}
