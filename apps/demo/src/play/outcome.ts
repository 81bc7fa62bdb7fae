import type { Demonstration, Question } from '../tasks/demonstration.ts'

/** What became of one question. */
export interface Outcome {
  readonly session: string
  readonly title: string
  readonly expected: string
  /** Of what was expected, what the answer says; all of the answer where it says something else. */
  readonly answer: string
  readonly status: 'ok' | 'mismatch' | 'stopped' | 'unplayed' | 'skipped'
  /** Why it is not ok. */
  readonly reason?: string
  readonly steps?: number
  readonly ms?: number
}

/** An outcome as far as it is known before anything was asked. */
export function unasked(
  { name }: Demonstration,
  { title, expected }: Question,
  status: Outcome['status'],
  reason?: string,
): Outcome {
  return { session: name, title, expected: expected.join(' '), answer: '', status, reason }
}
