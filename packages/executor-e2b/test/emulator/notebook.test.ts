import { NotFoundError, Sandbox } from '@e2b/code-interpreter'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Emulator, startEmulator } from './emulator.ts'
import { bubblewrap } from './requirements.ts'
import { collector, until } from './watching.ts'

describe.skipIf(!bubblewrap.isMet)(`a notebook in the emulator ${bubblewrap.reason}`, () => {
  let emulator: Emulator
  let sandbox: Sandbox

  beforeAll(async () => {
    emulator = await startEmulator()
    sandbox = await Sandbox.create({ ...emulator.connection, envs: { QUOTED: 'plain' } })
  })
  afterAll(() => emulator?.close())

  it('keeps variables, streams output and gives the last value', async () => {
    const first = await sandbox.runCode(
      'import os, sys\nprint("größe")\nos.system("echo child")\nx = 20\nprint("e", file=sys.stderr)',
    )
    expect(first.logs.stdout.join('')).toBe('größe\nchild\n')
    expect(first.logs.stderr.join('')).toBe('e\n')
    const second = await sandbox.runCode('x * 2 + 2')
    expect(second.text).toBe('42')
    expect(second.executionCount).toBe(2)
  })

  it('reports an exception as data, with the lines of the cell', async () => {
    const { error } = await sandbox.runCode('def f():\n  return 1 / 0\nf()')
    expect(error).toMatchObject({ name: 'ZeroDivisionError', value: 'division by zero' })
    expect(error?.traceback).toContain('line 2, in f')
    expect(error?.traceback).not.toContain('kernel.py')
  })

  it('shows what has a shape', async () => {
    const { results } = await sandbox.runCode(
      'class H:\n  def _repr_html_(self): return "<b>hi</b>"\ndisplay(H())\n[1, 2]',
    )
    expect(results.map((result) => [result.isMainResult, result.html, result.json])).toEqual([
      [false, '<b>hi</b>', undefined],
      [true, undefined, [1, 2]],
    ])
  })

  it('has contexts that know nothing of each other, start again, and can be removed', async () => {
    const context = await sandbox.createCodeContext({ cwd: '/tmp' })
    await sandbox.runCode('y = 1', { context })
    expect((await sandbox.runCode('y')).error?.name).toBe('NameError')
    expect((await sandbox.runCode('import os; (y, os.getcwd())', { context })).text).toBe("(1, '/tmp')")
    await sandbox.restartCodeContext(context)
    expect((await sandbox.runCode('y', { context })).error?.name).toBe('NameError')
    expect(await sandbox.listCodeContexts()).toHaveLength(2)
    await sandbox.removeCodeContext(context)
    await expect(sandbox.runCode('1', { context })).rejects.toThrow(NotFoundError)
  })

  it("is interrupted at the kernel's address inside the sandbox, and usable at once", async () => {
    const context = await sandbox.createCodeContext()
    const out = collector()
    const endless = sandbox.runCode('z = 5\nprint("in")\nimport time\nwhile True: time.sleep(0.05)', {
      context,
      onStdout: ({ line }) => out.take(line),
    })
    await until(() => out.text.includes('in'))
    const url = `http://localhost:8888/api/kernels/${context.id}/interrupt`
    await sandbox.commands.run(`python3 -c "import urllib.request as u; u.urlopen(u.Request('${url}', method='POST'))"`)
    expect((await endless).error?.name).toBe('KeyboardInterrupt')
    expect((await sandbox.runCode('z', { context })).text).toBe('5')
  })

  it('is wedged for a second by a client that leaves', async () => {
    const context = await sandbox.createCodeContext()
    const late = sandbox.runCode('import time\ntime.sleep(30)', { context, timeoutMs: 200 })
    await expect(late).rejects.toMatchObject({
      name: 'TimeoutError',
      message: expect.stringContaining('Execution timed out'),
    })
    await expect(sandbox.runCode('1', { context, timeoutMs: 200 })).rejects.toMatchObject({ name: 'TimeoutError' })
  })

  it('puts environment variables before the code, which moves its lines and trips over a quote', async () => {
    const context = await sandbox.createCodeContext()
    const { error } = await sandbox.runCode('1 / 0', { context })
    expect(error?.traceback).not.toContain('line 1, in <module>')
    const quoted = await sandbox.runCode('1', { context, envs: { A: "it's" } })
    expect(quoted.error?.name).toBe('SyntaxError')
  })

  it('is not there in the template without one', async () => {
    const bare = await Sandbox.create('base', emulator.connection)
    await expect(bare.runCode('1')).rejects.toThrow(/port is not open/)
    await bare.kill()
  })
})
