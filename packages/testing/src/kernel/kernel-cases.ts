import type { Sandbox } from '@codeact/spec'
import { type Subject, skipWhereExcepted } from '../executor/subject.ts'
import { END_CASES } from './end-cases.ts'
import { HOST_CASES } from './host-cases.ts'
import type { KernelCase } from './kernel-case.ts'
import { OUTPUT_CASES } from './output-cases.ts'
import { STATE_CASES } from './state-cases.ts'

/** What is promised in every language, in the order of the contract. */
export const KERNEL_CASES: readonly KernelCase[] = [...STATE_CASES, ...OUTPUT_CASES, ...HOST_CASES, ...END_CASES]

/** Skips what the executor does not promise, and a language that it does not run. */
export async function openFor(
  test: Parameters<typeof skipWhereExcepted>[0],
  subject: Subject,
  language: string,
  promise: KernelCase['promise'],
): Promise<Sandbox> {
  const sandbox = await subject.open()
  const speaks = sandbox.capabilities.languages.some((one) => one.language === language)
  test.skip(!speaks, `it does not run ${language}`)
  skipWhereExcepted(test, sandbox, promise)
  return sandbox
}
