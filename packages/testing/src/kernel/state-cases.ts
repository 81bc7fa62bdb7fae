import { expect } from 'vitest'
import { cells, type KernelCase, shown, works } from './kernel-case.ts'

/** What lives from cell to cell, and the values that cells end in. */
export const STATE_CASES: readonly KernelCase[] = [
  { promise: 'state', title: 'is kept from cell to cell', run: works },
  {
    promise: 'state',
    title: 'holds functions too',
    async run({ snippets, run }, sandbox) {
      await run(sandbox, snippets.define)
      expect(shown(await run(sandbox, snippets.useDefined))).toBe('7')
    },
  },
  {
    promise: 'state',
    title: 'holds the working directory',
    async run({ snippets, run }, sandbox) {
      await run(sandbox, snippets.enterFolder)
      expect((await run(sandbox, snippets.printFolder)).stdout).toMatch(/[\\/]sub\r?\n$/)
    },
  },
  {
    promise: 'state',
    title: 'holds what was set before an error',
    async run({ snippets, run }, sandbox) {
      expect((await run(sandbox, cells(snippets.setX, snippets.fail))).status).toBe('error')
      expect(shown(await run(sandbox, snippets.useX))).toBe('42')
    },
  },
  {
    promise: 'state',
    title: 'is that after the cells before, in the order of the calls',
    async run({ snippets, run }, sandbox) {
      const runs = [snippets.setX, snippets.addToX, snippets.useX].map((code) => run(sandbox, code))
      expect((await Promise.all(runs)).map(shown).at(-1)).toBe('43')
    },
  },
  {
    promise: 'state',
    title: 'is not shared with another sandbox, whose end it does not notice',
    async run({ subject, snippets, run }, sandbox) {
      const other = await subject.open()
      for (const one of [sandbox, other]) await run(one, snippets.setX)
      await run(other, snippets.addToX)
      expect(shown(await run(sandbox, snippets.useX))).toBe('42')
      expect((await run(sandbox, snippets.exit)).status).toBe('crashed')
      expect(shown(await run(other, snippets.useX))).toBe('43')
    },
  },
  {
    promise: 'state',
    title: 'can be listed: what the code set, and nothing else',
    async run({ language, snippets, run }, sandbox) {
      await run(sandbox, snippets.setX)
      expect((await sandbox.inspect?.(language))?.map(({ name }) => name)).toEqual(['x'])
    },
  },
  {
    promise: 'state',
    title: 'begins with setup, also after it was lost',
    async run({ subject, language, snippets, run }) {
      const sandbox = await subject.open({ setup: { [language]: snippets.setX } })
      expect(shown(await run(sandbox, snippets.useX))).toBe('42')
      expect((await run(sandbox, snippets.exit)).status).toBe('crashed')
      expect(shown(await run(sandbox, snippets.useX))).toBe('42')
    },
  },
  {
    promise: 'state',
    title: 'does not begin where setup fails, and says why',
    async run({ subject, language, snippets, run }) {
      // A language that is not the sandbox's first starts with its first cell.
      const first = subject.open({ setup: { [language]: snippets.fail } }).then((box) => run(box, snippets.useX))
      await expect(first).rejects.toMatchObject({
        code: 'SETUP_FAILED',
        message: expect.stringMatching(snippets.failure),
      })
    },
  },
  {
    promise: 'value',
    title: 'is that of the last expression, over several lines too',
    async run({ snippets, run }, sandbox) {
      expect(shown(await run(sandbox, snippets.overLines))).toBe('10')
    },
  },
  {
    promise: 'value',
    title: 'comes of code that ran once, also where it failed',
    async run({ snippets, run }, sandbox) {
      expect(shown(await run(sandbox, cells(snippets.setX, snippets.addToX, snippets.useX)))).toBe('43')
      await run(sandbox, cells(snippets.addToX, snippets.fail))
      expect(shown(await run(sandbox, snippets.useX))).toBe('44')
    },
  },
]
