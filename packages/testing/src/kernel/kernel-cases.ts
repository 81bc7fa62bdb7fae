import type { Execution, PromiseName, Sandbox, Tool } from '@codeact/spec'
import { expect } from 'vitest'
import { type Subject, skipWhereExcepted } from '../executor/subject.ts'
import { bareTool, INTEGER } from '../executor/tools.ts'
import type { Snippets } from './snippets.ts'

const SLACK_MS = 2500

export interface KernelSubject {
  readonly subject: Subject
  readonly snippets: Snippets
  /** Runs a cell in the language under test. */
  run(sandbox: Sandbox, code: string, timeoutMs?: number): Promise<Execution>
}

interface KernelCase {
  readonly promise: PromiseName
  readonly title: string
  run(kernel: KernelSubject, sandbox: Sandbox): Promise<void>
}

/** The value of a cell, or for a language whose cells have none what it printed. */
function shown({ status, value, stdout, error }: Execution): string {
  if (status !== 'ok') throw new Error(`${status}: ${error?.traceback}`)
  return (value?.['text/plain'] ?? stdout).trim()
}

const TOOLS: readonly Tool[] = [
  bareTool('add', { a: INTEGER, b: INTEGER }, ({ a, b }) => Number(a) + Number(b)),
  bareTool('refuse', {}, () => {
    throw new Error('out of luck')
  }),
]

async function works({ snippets, run }: KernelSubject, sandbox: Sandbox): Promise<void> {
  await run(sandbox, snippets.setX)
  expect(shown(await run(sandbox, snippets.useX))).toBe('42')
}

/** What is promised in every language, in the order of the contract. */
export const KERNEL_CASES: readonly KernelCase[] = [
  { promise: 'state', title: 'is kept from cell to cell', run: works },
  {
    promise: 'value',
    title: 'is that of the last expression, over several lines too',
    async run({ snippets, run }, sandbox) {
      expect(shown(await run(sandbox, snippets.overLines))).toBe('10')
    },
  },
  {
    promise: 'output',
    title: 'comes on two streams',
    async run({ snippets, run }, sandbox) {
      expect(await run(sandbox, snippets.twoStreams)).toMatchObject({ status: 'ok', stdout: 'out\n', stderr: 'err\n' })
    },
  },
  {
    promise: 'output',
    title: 'keeps head and tail of a flood',
    async run({ subject, snippets, run }) {
      const sandbox = await subject.open({ limits: { output: 1000 } })
      const { stdout, truncated } = await run(sandbox, snippets.flood)
      expect(stdout).toMatch(/^begin\nx[\s\S]*x\n?end\n$/)
      expect(truncated?.stdout).toBeGreaterThan(99_000)
    },
  },
  {
    promise: 'output',
    title: 'is restored before the next cell',
    async run({ snippets, run }, sandbox) {
      await run(sandbox, snippets.breakOutput)
      expect((await run(sandbox, snippets.twoStreams)).stdout).toBe('out\n')
    },
  },
  {
    promise: 'errors',
    title: 'are told, with what was printed before, and end the cell only',
    async run(kernel, sandbox) {
      const { snippets, run } = kernel
      const { status, stdout, error } = await run(sandbox, snippets.fail)
      expect({ status, stdout }).toEqual({ status: 'error', stdout: 'before\n' })
      expect(error?.traceback).toMatch(snippets.failure)
      await works(kernel, sandbox)
    },
  },
  {
    promise: 'errors',
    title: 'tell code that cannot be read',
    async run(kernel, sandbox) {
      const { status, state, error } = await kernel.run(sandbox, kernel.snippets.malformed)
      expect({ status, state }).toEqual({ status: 'error', state: 'kept' })
      expect(error?.traceback).not.toBe('')
      await works(kernel, sandbox)
    },
  },
  {
    promise: 'tools',
    title: 'are functions whose results are values, and whose errors can be caught',
    async run({ subject, snippets, run }) {
      const sandbox = await subject.open({}, { tools: TOOLS })
      expect(shown(await run(sandbox, snippets.callTool))).toBe('3')
      expect((await run(sandbox, snippets.catchToolError)).stdout).toContain('out of luck')
    },
  },
  ...(['endless', 'stubborn'] as const).map(
    (which): KernelCase => ({
      promise: 'timeout',
      title: `ends a cell that is ${which}, keeps what it printed, and goes on`,
      async run(kernel, sandbox) {
        const started = Date.now()
        const execution = await kernel.run(sandbox, kernel.snippets[which], 500)
        expect(execution).toMatchObject({ status: 'timeout', stdout: 'partial\n' })
        expect(Date.now() - started).toBeLessThan(500 + SLACK_MS)
        await works(kernel, sandbox)
      },
    }),
  ),
  {
    promise: 'crash',
    title: 'ends the cell, not the sandbox',
    async run(kernel, sandbox) {
      expect((await kernel.run(sandbox, kernel.snippets.exit)).status).toBe('crashed')
      await works(kernel, sandbox)
    },
  },
]

/** Skips what the executor does not promise, and a language that it does not run. */
export async function openFor(
  test: Parameters<typeof skipWhereExcepted>[0],
  subject: Subject,
  language: string,
  promise: PromiseName,
): Promise<Sandbox> {
  const sandbox = await subject.open()
  const speaks = sandbox.capabilities.languages.some((one) => one.language === language)
  test.skip(!speaks, `it does not run ${language}`)
  skipWhereExcepted(test, sandbox, promise)
  return sandbox
}
