import { CodeActError, type Sandbox } from '@codeact/spec'
import { expect, it, type TestContext } from 'vitest'
import { evaluate, type Subject } from './subject.ts'

/** Sandboxes that were started before anybody asked are as good as others, and as new. */
export function poolCases(subject: Subject): void {
  it('pool > gives each sandbox away once, with the tools and files of whoever opens it', async (test) => {
    const executor = subject.executor({ pool: { size: 2 } })
    const seen = new Set<string>()
    for (const n of ['1', '2', '3', '4']) {
      const sandbox = await orSkip(test, executor.open({ files: { 'n.txt': n } }))
      expect(await evaluate(sandbox, 'open("n.txt").read(), "mark" in globals()')).toBe(`('${n}', False)`)
      await evaluate(sandbox, 'mark = 1; open("left.txt", "w").close()')
      expect(await evaluate(sandbox, 'import os; sorted(os.listdir())')).toBe("['left.txt', 'n.txt']")
      seen.add(sandbox.id)
      await sandbox.close()
    }
    expect(seen.size).toBe(4)
  })

  it('pool > gives sandboxes away that can be forked as others can', async (test) => {
    const executor = subject.executor({ pool: { size: 1 } })
    const sandbox = await orSkip(test, executor.open())
    await sandbox.execute('x = 41')
    const twin = await orSkip(
      test,
      sandbox.fork?.() ?? Promise.reject(new Error('there is no fork()')),
      'FORK_UNSUPPORTED',
    )
    expect(await evaluate(twin, 'x + 1')).toBe('42')
  })

  it('pool > goes on where a cell of its sandbox had to be ended', async (test) => {
    const executor = subject.executor({ pool: { size: 1 } })
    const sandbox = await orSkip(test, executor.open())
    expect((await sandbox.execute('import os; os._exit(3)')).status).toBe('crashed')
    expect(await evaluate(sandbox, '1 + 1')).toBe('2')
  })
}

/** An executor that keeps no pool, or has no forks, says why. */
async function orSkip(test: TestContext, opening: Promise<Sandbox>, code = 'OPTION_UNSUPPORTED'): Promise<Sandbox> {
  try {
    return await opening
  } catch (error) {
    test.skip(CodeActError.is(error) && error.code === code, String(error))
    throw error
  }
}
