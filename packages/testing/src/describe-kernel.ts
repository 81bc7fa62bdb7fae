import { describe, it } from 'vitest'
import type { FaultSuite } from './describe-faults.ts'
import { Subject } from './executor/subject.ts'
import type { KernelSubject } from './kernel/kernel-case.ts'
import { KERNEL_CASES, openFor } from './kernel/kernel-cases.ts'
import type { Snippets } from './kernel/snippets.ts'

const TIMEOUT_MS = 20_000

export interface KernelSuite extends Pick<FaultSuite, 'create' | 'gate' | 'leftovers'> {
  /** Canonical name of the language, which the executor's sandboxes run. */
  readonly language: string
  readonly snippets: Snippets
}

/** What every language's kernel promises, said in that language by a table of snippets. */
export function describeKernel({ language, snippets, create, gate, leftovers = async () => [] }: KernelSuite): void {
  const title = gate?.isMet === false ? `${language} (skipped: ${gate.reason})` : language
  describe.skipIf(gate?.isMet === false)(`kernel: ${title}`, () => {
    const subject = new Subject(create)
    const run: KernelSubject['run'] = (sandbox, code, options) =>
      sandbox.execute(code, { timeoutMs: TIMEOUT_MS, ...options, language })
    for (const one of KERNEL_CASES) {
      it(`${one.promise} > ${one.title}`, async (test) => {
        const sandbox = await openFor(test, subject, language, one.promise)
        await one.run({ subject, language, snippets, leftovers, run }, sandbox)
      })
    }
  })
}
