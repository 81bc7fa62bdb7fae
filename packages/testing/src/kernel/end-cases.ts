import type { Sandbox } from '@codeact/spec'
import { expect } from 'vitest'
import { cells, hasPrinted, type KernelCase, shown, works } from './kernel-case.ts'

/** A cell is settled within a second of its limit; the rest is for a machine that does other things as well. */
const SLACK_MS = 1000 + 1500
const GONE_MS = 5000
/** Three times as long as the process of `leaveChild` waits between two signs of life. */
const SILENCE_MS = 300

/** How cells end before their end, what is left then, and how sandboxes end. */
export const END_CASES: readonly KernelCase[] = [
  {
    promise: 'timeout',
    title: 'ends a cell that is endless, and keeps what it printed and what was set before',
    async run({ snippets, run }, sandbox) {
      await run(sandbox, snippets.setX)
      const started = Date.now()
      const execution = await run(sandbox, snippets.endless, { timeoutMs: 500 })
      expect(Date.now() - started).toBeLessThan(500 + SLACK_MS)
      expect(execution).toMatchObject({ status: 'timeout', state: 'kept', stdout: 'partial\n' })
      expect(execution.error).toMatchObject({ name: 'TimeoutError', message: 'the time limit of 0.5 s was exceeded' })
      expect(execution.error?.traceback).toMatch(/(^|\n)TimeoutError: the time limit of 0\.5 s was exceeded$/)
      expect(shown(await run(sandbox, snippets.useX))).toBe('42')
    },
  },
  {
    promise: 'timeout',
    title: 'ends a cell that is stubborn, keeps what it printed, tells what became of the state, and goes on',
    async run(kernel, sandbox) {
      const { snippets, run } = kernel
      await run(sandbox, snippets.setX)
      const started = Date.now()
      const execution = await run(sandbox, snippets.stubborn, { timeoutMs: 500 })
      expect(Date.now() - started).toBeLessThan(500 + SLACK_MS)
      expect(execution).toMatchObject({ status: 'timeout', stdout: 'partial\n', error: { name: 'TimeoutError' } })
      const { value, stdout } = await run(sandbox, snippets.useX)
      expect((value?.['text/plain'] ?? stdout).trim() === '42').toBe(execution.state !== 'lost')
      await works(kernel, sandbox)
    },
  },
  {
    promise: 'timeout.child-processes',
    title: 'ends what a cell started that had to be killed',
    async run({ snippets, run }, sandbox) {
      const code = cells(snippets.leaveChild, snippets.stubborn)
      expect((await run(sandbox, code, { timeoutMs: 1000 })).status).toBe('timeout')
      expect(await sizeOf(sandbox, 'alive')).toBeGreaterThan(0)
      await expect.poll(() => growth(sandbox, 'alive'), { timeout: GONE_MS }).toBe(0)
    },
  },
  {
    promise: 'timeout',
    title: 'counts from the start of the cell, not from the call',
    async run({ snippets, run }, sandbox) {
      const both = [run(sandbox, snippets.slowly), run(sandbox, snippets.setX, { timeoutMs: 400 })]
      expect((await Promise.all(both)).map(({ status }) => status)).toEqual(['ok', 'ok'])
      expect(shown(await run(sandbox, snippets.useX))).toBe('42')
    },
  },
  {
    promise: 'timeout',
    title: 'aborts a cell through its signal, and keeps what it printed',
    async run(kernel, sandbox) {
      const { snippets, run } = kernel
      const controller = new AbortController()
      const cell = run(sandbox, snippets.endless, { signal: controller.signal })
      await hasPrinted(cell)
      controller.abort()
      expect(await cell).toMatchObject({
        status: 'aborted',
        state: 'kept',
        stdout: 'partial\n',
        error: { name: 'Aborted' },
      })
      await works(kernel, sandbox)
    },
  },
  {
    promise: 'timeout',
    title: 'aborts a cell that waits for its turn, and does not run it',
    async run({ snippets, run }, sandbox) {
      await run(sandbox, snippets.setX)
      const first = run(sandbox, snippets.slowly)
      const second = run(sandbox, snippets.addToX)
      second.abort()
      expect([(await first).status, (await second).status]).toEqual(['ok', 'aborted'])
      expect(shown(await run(sandbox, snippets.useX))).toBe('42')
    },
  },
  {
    promise: 'crash',
    title: 'ends the cell, whose output is kept, and not the sandbox',
    async run(kernel, sandbox) {
      const { snippets, run } = kernel
      const { status, state, stdout, stderr, error } = await run(sandbox, cells(snippets.twoStreams, snippets.exit))
      expect({ status, stdout, stderr }).toEqual({ status: 'crashed', stdout: 'out\n', stderr: 'err\n' })
      expect(['lost', 'rolled-back']).toContain(state)
      expect(error?.traceback).toBeTruthy()
      await works(kernel, sandbox)
    },
  },
  {
    promise: 'crash.signals',
    title: 'by a signal is told by its name',
    async run(kernel, sandbox) {
      const { status, reason, error } = await kernel.run(sandbox, kernel.snippets.die)
      expect({ status, reason }).toEqual({ status: 'crashed', reason: 'signal' })
      expect(error?.message).toContain('SIGKILL')
      await works(kernel, sandbox)
    },
  },
  {
    promise: 'hygiene.child-processes',
    title: 'ends with the sandbox what its cells have left running',
    async run({ subject, snippets, leftovers, run }) {
      await subject.closeAll()
      const before = new Set(await leftovers())
      const sandbox = await subject.open()
      await run(sandbox, snippets.leaveChild)
      await expect.poll(() => growth(sandbox, 'alive'), { timeout: GONE_MS }).toBeGreaterThan(0)
      await subject.closeAll()
      const left = async () => (await leftovers()).filter((one) => !before.has(one))
      await expect.poll(left, { timeout: GONE_MS }).toEqual([])
    },
  },
  {
    promise: 'lifetime',
    title: 'ends while a cell runs, and no other follows',
    async run({ snippets, run }, sandbox) {
      const cell = run(sandbox, snippets.endless)
      await hasPrinted(cell)
      await Promise.all([sandbox.close(), sandbox.close()])
      expect((await cell).status).toBe('aborted')
      await expect(run(sandbox, snippets.setX)).rejects.toMatchObject({ code: 'SANDBOX_CLOSED' })
    },
  },
  {
    promise: 'lifetime',
    title: 'refuses a language that the sandbox does not run, and says which it does',
    async run({ language, snippets }, sandbox) {
      const refused = sandbox.execute(snippets.setX, { language: 'no-such-language' })
      await expect(refused).rejects.toMatchObject({
        code: 'LANGUAGE_UNKNOWN',
        hint: expect.stringContaining(language),
      })
    },
  },
]

async function sizeOf(sandbox: Sandbox, path: string): Promise<number> {
  return (await sandbox.files.list()).find((entry) => entry.path === path)?.size ?? 0
}

/** The bytes that a file gains in a while. */
async function growth(sandbox: Sandbox, path: string): Promise<number> {
  const before = await sizeOf(sandbox, path)
  await new Promise((resolve) => setTimeout(resolve, SILENCE_MS))
  return (await sizeOf(sandbox, path)) - before
}
