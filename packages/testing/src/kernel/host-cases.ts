import type { CellEvent, Tool } from '@codeact/spec'
import { expect } from 'vitest'
import { bareTool, INTEGER } from '../executor/tools.ts'
import { cells, type KernelCase, shown, works } from './kernel-case.ts'

const NUMBERS = { a: INTEGER, b: INTEGER }

const TOOLS: readonly Tool[] = [
  bareTool('add', NUMBERS, ({ a, b }) => Number(a) + Number(b)),
  bareTool('minus', NUMBERS, ({ a, b }) => Number(a) - Number(b)),
  bareTool('refuse', {}, () => {
    throw new Error('out of luck')
  }),
]

/** What a language may take for something of its own; more than a pipe takes at once. */
const TEXT = `"Grüße" 'an' \\n €\t😀 $(x) \${y} %s {z}\n\n<b>`.padEnd(200_000, 'ü')

/** What goes between the code and its host: calls, files, events. */
export const HOST_CASES: readonly KernelCase[] = [
  {
    promise: 'tools',
    title: 'are functions whose results are values, and whose errors can be caught',
    async run({ subject, snippets, run }) {
      const sandbox = await subject.open({}, { tools: TOOLS })
      expect(shown(await run(sandbox, snippets.callTool))).toBe('3')
      expect((await run(sandbox, snippets.catchToolError)).stdout).toContain('out of luck')
    },
  },
  {
    promise: 'tools',
    title: 'take arguments by name, and refuse those that do not fit',
    async run({ subject, snippets, run }) {
      const sandbox = await subject.open({}, { tools: TOOLS })
      expect(shown(await run(sandbox, snippets.callByName))).toBe('3')
      expect((await run(sandbox, snippets.catchMisuse)).stdout).toContain('is missing b')
    },
  },
  {
    promise: 'tools',
    title: 'give and take any text unchanged',
    async run({ subject, snippets, run }) {
      const taken: unknown[] = []
      const tell = bareTool('tell', {}, () => TEXT)
      const take = bareTool('take', { text: { type: 'string' } }, ({ text }) => void taken.push(text))
      const sandbox = await subject.open({}, { tools: [tell, take] })
      expect((await run(sandbox, snippets.passOn)).status).toBe('ok')
      expect(taken).toEqual([TEXT])
    },
  },
  {
    promise: 'tools',
    title: 'are told when their cell is over, and do not hold it up',
    async run(kernel) {
      const { subject, snippets, run } = kernel
      let aborted = false
      const wait = bareTool('add', NUMBERS, (_input, { signal }) => {
        signal.addEventListener('abort', () => {
          aborted = true
        })
        return new Promise(() => {})
      })
      const sandbox = await subject.open({}, { tools: [wait] })
      expect(await run(sandbox, snippets.callTool, { timeoutMs: 500 })).toMatchObject({
        status: 'timeout',
        state: 'kept',
      })
      expect(aborted).toBe(true)
      await works(kernel, sandbox)
    },
  },
  {
    promise: 'tools',
    title: 'stop the clock while they wait for a person',
    async run({ subject, snippets, run }) {
      const answer = () => new Promise((resolve) => setTimeout(() => resolve(3), 1500))
      const sandbox = await subject.open({}, { tools: [bareTool('add', NUMBERS, answer, { pausesClock: true })] })
      expect(shown(await run(sandbox, snippets.callTool, { timeoutMs: 1000 }))).toBe('3')
    },
  },
  {
    promise: 'tools',
    title: 'can be taken over for one cell',
    async run({ subject, snippets, run }) {
      const sandbox = await subject.open({}, { tools: TOOLS })
      const onToolCall = async () => ({ ok: true, value: 30 }) as const
      expect(shown(await run(sandbox, snippets.callTool, { onToolCall }))).toBe('30')
      expect(shown(await run(sandbox, snippets.callTool))).toBe('3')
    },
  },
  {
    promise: 'files',
    title: 'go in and come out, by their paths in the working directory',
    async run({ snippets, run }, sandbox) {
      await sandbox.files.write('in.txt', 'grüße\n')
      expect((await run(sandbox, snippets.copyFile)).status).toBe('ok')
      expect(await sandbox.files.readText('out.txt')).toBe('grüße\n')
      expect(await sandbox.files.list()).toEqual(['in.txt', 'out.txt'].map((path) => ({ path, type: 'file', size: 8 })))
    },
  },
  {
    promise: 'files.links',
    title: 'behind links are not followed',
    async run({ snippets, run }, sandbox) {
      expect((await run(sandbox, snippets.linkOut)).status).toBe('ok')
      await expect(sandbox.files.read('link')).rejects.toMatchObject({ code: 'FILES_OUTSIDE' })
    },
  },
  {
    promise: 'events',
    title: 'tell a cell from start to end, in order',
    async run({ subject, snippets, run }) {
      const sandbox = await subject.open({}, { tools: TOOLS })
      const cell = run(sandbox, cells(snippets.show, snippets.callTool))
      const events: CellEvent[] = []
      for await (const event of cell) events.push(event)
      const types = events.map(({ type }) => type).filter((type, index, all) => type !== all[index - 1])
      // A language without values prints the last one, after its call.
      expect(types.slice(0, 6)).toEqual([
        'execution-start',
        'stdout-delta',
        'display',
        'stdout-delta',
        'tool-start',
        'tool-end',
      ])
      expect(events.at(-1)).toMatchObject({ type: 'execution-end', execution: { status: 'ok' } })
      expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index))
      expect(JSON.parse(JSON.stringify(events))).toEqual(events)
    },
  },
  {
    promise: 'events',
    title: 'close every start exactly once, whatever happens',
    async run({ snippets, run }, sandbox) {
      for (const code of [snippets.fail, snippets.exit, snippets.endless, snippets.stubborn]) {
        const types: string[] = []
        for await (const { type } of run(sandbox, code, { timeoutMs: 500 })) types.push(type)
        expect([types[0], types.at(-1)], code).toEqual(['execution-start', 'execution-end'])
        expect(
          types.filter((type) => type.startsWith('execution-')),
          code,
        ).toHaveLength(2)
      }
    },
  },
]
