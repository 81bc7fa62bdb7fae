import { expect } from 'vitest'
import { evaluate, lastLine, type Subject } from './subject.ts'

export function errorCases(subject: Subject): void {
  subject.promise('errors', (it) => {
    it('shows the lines of the user, and no others', async (sandbox) => {
      await sandbox.execute('def f(n):\n    return 1 / n')
      const { status, error } = await sandbox.execute('x = 1\nf(0)')
      expect(status).toBe('error')
      expect(error).toEqual({
        name: 'ZeroDivisionError',
        message: 'division by zero',
        traceback: [
          'Traceback (most recent call last):',
          '  Cell 2, line 2',
          '    f(0)',
          '  Cell 1, line 2, in f',
          '    return 1 / n',
          'ZeroDivisionError: division by zero',
        ].join('\n'),
      })
    })

    it('keeps what was printed before', async (sandbox) => {
      expect((await sandbox.execute('print("before")\n1 / 0')).stdout).toBe('before\n')
    })

    it('points at a syntax error, and runs nothing', async (sandbox) => {
      const execution = await sandbox.execute('ran = True\nx = = 1')
      expect(execution.error?.name).toBe('SyntaxError')
      expect(execution.error?.traceback).toContain('Cell 1, line 2\n    x = = 1')
      expect((await sandbox.execute('ran')).error?.name).toBe('NameError')
    })

    it('tells causes', async (sandbox) => {
      const { error } = await sandbox.execute('try:\n    1 / 0\nexcept Exception as e:\n    raise KeyError("k") from e')
      expect(error?.traceback).toMatch(/ZeroDivisionError: division by zero[\s\S]*direct cause[\s\S]*KeyError: 'k'$/)
    })

    it('takes sys.exit for an error, and goes on', async (sandbox) => {
      const execution = await sandbox.execute('import sys\nsys.exit("bye")')
      expect(execution).toMatchObject({ status: 'error', state: 'kept' })
      expect(lastLine(execution)).toBe('SystemExit: bye')
      expect(await evaluate(sandbox, '1')).toBe('1')
    })

    it('survives an exception that cannot be shown', async (sandbox) => {
      const code = 'class Odd(Exception):\n    def __str__(self):\n        raise RuntimeError("no")\nraise Odd()'
      expect((await sandbox.execute(code)).error?.name).toBe('Odd')
    })
  })
}
