import { expect, it } from 'vitest'
import { evaluate, type Subject } from './subject.ts'

export function lifetimeCases(subject: Subject): void {
  it('lifetime > closes once, and refuses code afterwards', async () => {
    const sandbox = await subject.open()
    await Promise.all([sandbox.close(), sandbox.close()])
    await expect(sandbox.execute('1')).rejects.toMatchObject({ code: 'SANDBOX_CLOSED' })
  })

  it('lifetime > closes while a cell runs', async () => {
    const sandbox = await subject.open()
    const run = sandbox.execute('while True: pass')
    await new Promise((resolve) => setTimeout(resolve, 100))
    await sandbox.close()
    expect((await run).status).toBe('aborted')
  })

  it('lifetime > closes its sandboxes with the executor', async () => {
    const executor = subject.executor()
    const sandbox = await executor.open()
    await executor.close()
    await expect(sandbox.execute('1')).rejects.toMatchObject({ code: 'SANDBOX_CLOSED' })
  })

  it('lifetime > opens several at once', async () => {
    const executor = subject.executor()
    const sandboxes = await Promise.all([executor.open(), executor.open(), executor.open()])
    const values = await Promise.all(sandboxes.map((sandbox, n) => evaluate(sandbox, `${n} + 1`)))
    expect(values).toEqual(['1', '2', '3'])
    expect(new Set(sandboxes.map(({ id }) => id)).size).toBe(3)
  })

  it('lifetime > does not open for a signal that has aborted', async () => {
    await expect(subject.open({}, { signal: AbortSignal.abort() })).rejects.toThrow()
  })

  it('lifetime > refuses a language that it does not run, and says which it does', async () => {
    const sandbox = await subject.open()
    const refused = sandbox.execute('x', { language: 'cobol' })
    await expect(refused).rejects.toMatchObject({ code: 'LANGUAGE_UNKNOWN', hint: expect.stringContaining('python') })
  })
}
