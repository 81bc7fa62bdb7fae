import { expect } from 'vitest'
import { type KernelCase, works } from './kernel-case.ts'

/** What a cell prints, shows, and says when it fails. */
export const OUTPUT_CASES: readonly KernelCase[] = [
  {
    promise: 'output',
    title: 'comes on two streams',
    async run({ snippets, run }, sandbox) {
      expect(await run(sandbox, snippets.twoStreams)).toMatchObject({ status: 'ok', stdout: 'out\n', stderr: 'err\n' })
    },
  },
  {
    promise: 'output',
    title: 'is told while the cell runs',
    async run({ snippets, run }, sandbox) {
      const seen: string[] = []
      for await (const event of run(sandbox, snippets.slowly)) if (event.type === 'stdout-delta') seen.push(event.text)
      expect(seen.join('')).toBe('first\nsecond\n')
      expect('first\n'.startsWith(seen[0] ?? 'nothing')).toBe(true)
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
    title: 'that is no text comes with replacement characters',
    async run({ snippets, run }, sandbox) {
      expect((await run(sandbox, snippets.rawBytes)).stdout).toBe('a\ufffd\ufffdb\n')
    },
  },
  {
    promise: 'output.child-processes',
    title: 'of a child process comes in its place',
    async run({ snippets, run }, sandbox) {
      expect((await run(sandbox, snippets.childOutput)).stdout).toBe('a\nb\nc\n')
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
    title: "are told, in the user's lines and with what was printed before, and end the cell only",
    async run(kernel, sandbox) {
      const { snippets, run } = kernel
      const { status, state, stdout, error } = await run(sandbox, snippets.fail)
      expect({ status, state, stdout }).toEqual({ status: 'error', state: 'kept', stdout: 'before\n' })
      expect(error?.traceback.match(snippets.failure)?.[0] ?? 'no match').toBe(error?.traceback)
      expect([error?.name, error?.message]).not.toContain('')
      expect(error?.traceback.endsWith(`${error.name}: ${error.message}`)).toBe(true)
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
    promise: 'display',
    title: 'gives what is shown by its media type',
    async run({ snippets, run }, sandbox) {
      const { status, displays } = await run(sandbox, snippets.show)
      expect(status).toBe('ok')
      expect(displays.map((bundle) => bundle['text/html'])).toEqual(['<b>shown</b>'])
    },
  },
]
