import type { CellEvent, ExecuteOptions, Execution, Run, Sandbox } from '@codeact/spec'
import { expect } from 'vitest'
import type { Subject } from '../executor/subject.ts'
import type { Promised } from '../faults/fault.ts'
import type { Leftovers } from '../faults/oracles.ts'
import type { Snippets } from './snippets.ts'

/** The kernel under test, in whatever sandboxes it lives. */
export interface KernelSubject {
  readonly subject: Subject
  readonly language: string
  readonly snippets: Snippets
  readonly leftovers: Leftovers
  /** Runs a cell in the language under test. */
  run(sandbox: Sandbox, code: string, options?: Omit<ExecuteOptions, 'language'>): Run<CellEvent, Execution>
}

export interface KernelCase {
  /** What can be excepted from, and what never can. */
  readonly promise: Promised | 'events' | 'lifetime'
  readonly title: string
  run(kernel: KernelSubject, sandbox: Sandbox): Promise<void>
}

/** The value of a cell, or for a language whose cells have none what it printed. */
export function shown({ status, value, stdout, error }: Execution): string {
  if (status !== 'ok') throw new Error(`${status}: ${error?.traceback}`)
  return (value?.['text/plain'] ?? stdout).trim()
}

/** The sandbox runs cells, and keeps what they set. */
export async function works({ snippets, run }: KernelSubject, sandbox: Sandbox): Promise<void> {
  await run(sandbox, snippets.setX)
  expect(shown(await run(sandbox, snippets.useX))).toBe('42')
}

/** Returns once the cell has printed a line, which may come in parts. */
export async function hasPrinted(run: Run<CellEvent, Execution>): Promise<void> {
  for await (const event of run) if (event.type === 'stdout-delta' && event.text.endsWith('\n')) return
}

/** One cell made of several. */
export function cells(...parts: readonly string[]): string {
  return parts.join('\n')
}
