import { expect } from 'vitest'
import { evaluate, type Subject } from './subject.ts'

export function crashCases(subject: Subject): void {
  subject.promise('crash', (it) => {
    it('ends the cell that exits the process, not the session', async (sandbox) => {
      const execution = await sandbox.execute('import os\nos._exit(3)')
      expect(execution.status).toBe('crashed')
      expect(['lost', 'rolled-back']).toContain(execution.state)
      expect(await evaluate(sandbox, '1 + 1')).toBe('2')
    })

    it(
      'keeps what was printed before',
      async (sandbox) => {
        const { stdout } = await sandbox.execute('import os\nprint("last words", flush=True)\nos._exit(3)')
        expect(stdout).toBe('last words\n')
      },
      'output',
    )

    it(
      'ends the cell that dies of a signal, not the session',
      async (sandbox) => {
        const execution = await sandbox.execute('import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)')
        expect(execution).toMatchObject({ status: 'crashed', reason: 'signal' })
        expect(execution.error?.message).toContain('SIGSEGV')
        expect(await evaluate(sandbox, '1 + 1')).toBe('2')
      },
      'signals',
    )

    it('leaves other sandboxes alone', async (sandbox) => {
      const other = await subject.open()
      await other.execute('x = 5')
      await sandbox.execute('import os\nos._exit(1)')
      expect(await evaluate(other, 'x')).toBe('5')
    })

    it('fails to open when setup fails, and says why', async () => {
      const opening = subject.open({ setup: { python: 'import no_such_module' } })
      await expect(opening).rejects.toMatchObject({
        code: 'SETUP_FAILED',
        message: expect.stringContaining('no_such_module'),
      })
    })
  })
}
