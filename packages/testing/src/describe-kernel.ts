import { describe, it } from 'vitest'
import type { ExecutorSuite } from './describe-executor.ts'
import { Subject } from './executor/subject.ts'
import { KERNEL_CASES, type KernelSubject, openFor } from './kernel/kernel-cases.ts'
import type { Snippets } from './kernel/snippets.ts'

export interface KernelSuite extends Pick<ExecutorSuite, 'create' | 'gate'> {
  /** Canonical name of the language, which the executor's sandboxes run. */
  readonly language: string
  readonly snippets: Snippets
}

/** What every language's kernel promises, said in that language by a table of snippets. */
export function describeKernel({ language, snippets, create, gate }: KernelSuite): void {
  const title = gate?.isMet === false ? `${language} (skipped: ${gate.reason})` : language
  describe.skipIf(gate?.isMet === false)(`kernel: ${title}`, () => {
    const subject = new Subject(create)
    const run: KernelSubject['run'] = (sandbox, code, timeoutMs = 20_000) =>
      Promise.resolve(sandbox.execute(code, { language, timeoutMs }))
    for (const one of KERNEL_CASES) {
      it(`${one.promise} > ${one.title}`, async (test) => {
        const sandbox = await openFor(test, subject, language, one.promise)
        await one.run({ subject, snippets, run }, sandbox)
      })
    }
  })
}
