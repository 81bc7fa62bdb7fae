import { expect } from 'vitest'
import { evaluate, type Subject } from './subject.ts'

export function stateCases(subject: Subject): void {
  subject.promise('state', (it) => {
    it('keeps variables, functions and imports from cell to cell', async (sandbox) => {
      await sandbox.execute('import math\nx = 40\ndef half(n):\n    return math.floor(n / 2)')
      expect(await evaluate(sandbox, 'half(x) + 22')).toBe('42')
    })

    it('lets functions see imports and variables of later cells', async (sandbox) => {
      await sandbox.execute('def area(r):\n    return math.pi * r ** 2')
      await sandbox.execute('import math')
      expect(await evaluate(sandbox, 'round(area(1), 2)')).toBe('3.14')
    })

    it('keeps the working directory', async (sandbox) => {
      await sandbox.execute('import os\nos.makedirs("sub", exist_ok=True)\nos.chdir("sub")')
      expect(await evaluate(sandbox, 'os.path.basename(os.getcwd())')).toBe("'sub'")
    })

    it('imports modules from the working directory, which stand in for no others', async (sandbox) => {
      await sandbox.files.write('helper.py', 'answer = 42')
      await sandbox.files.write('statistics.py', 'raise ImportError("hijacked")')
      expect(await evaluate(sandbox, 'import helper, statistics\nhelper.answer, statistics.mean([1, 3])')).toBe(
        '(42, 2)',
      )
    })

    it('keeps what was defined before an error', async (sandbox) => {
      await sandbox.execute('y = 1\nraise ValueError("later")')
      expect(await evaluate(sandbox, 'y')).toBe('1')
    })

    it('runs calls in the order in which they were made', async (sandbox) => {
      const runs = ['log = [1]', 'log.append(2)', 'log.append(3)\nlog'].map((code) => sandbox.execute(code))
      const last = (await Promise.all(runs)).at(-1)
      expect(last?.value?.['text/plain']).toBe('[1, 2, 3]')
    })

    it('shares nothing with another sandbox', async (sandbox) => {
      const other = await subject.open()
      await sandbox.execute('mine = 1')
      expect((await other.execute('mine')).error?.name).toBe('NameError')
    })
  })
}
