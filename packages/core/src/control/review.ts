import {
  CodeActError,
  type CodeActEvent,
  type CodeAction,
  type EventBody,
  newId,
  type Run,
  type RunResult,
  type Verdict,
} from '@codeact/spec'
import { orStopped, type Scope } from '../loop/scope.ts'

/** What is known when code is about to run. */
export interface ReviewView {
  readonly task: string
  /** Which of the run's steps this is, from 1. */
  readonly step: number
  /** What the model said beside its code. */
  readonly text: string
  /** Aborts with the run. */
  readonly signal: AbortSignal
}

/** Reads code before it runs, and says what becomes of it. What it throws is a failure of the run. */
export type Review = (action: CodeAction, view: ReviewView) => Verdict | Promise<Verdict>

/** One who is asked, with a place for what happens meanwhile. */
export interface Gate {
  readonly by: 'reviewer' | 'approve'
  ask(action: CodeAction, view: ReviewView, nest: Nest): Verdict | Promise<Verdict>
}

/** Where a run inside another one belongs. */
export interface Nest {
  readonly parent: string
  emit(body: EventBody): void
}

/** Code that may run, with what was changed in it; or why it may not. */
export type Reviewed =
  | { readonly action: CodeAction; readonly changes: readonly string[] }
  | { readonly denied: string }

/** Asks all, one after the other: each reads the code as those before have left it. */
export async function review(
  gates: readonly Gate[],
  action: CodeAction,
  view: ReviewView,
  scope: Scope,
  step: string,
): Promise<Reviewed> {
  let current = action
  const changes: string[] = []
  for (const gate of gates) {
    const verdict = await ask(gate, current, view, scope, step)
    if (verdict === 'allow') continue
    if ('deny' in verdict) return { denied: verdict.deny }
    current = { ...current, code: verdict.edit }
    changes.push(verdict.because ?? '')
  }
  return { action: current, changes }
}

async function ask(gate: Gate, action: CodeAction, view: ReviewView, scope: Scope, step: string): Promise<Verdict> {
  const span = { id: newId('review'), parent: step, by: gate.by }
  scope.emit({ type: 'review-start', ...span, action })
  try {
    const asked = Promise.resolve().then(() => gate.ask(action, view, { parent: span.id, emit: scope.emit }))
    const verdict = await orStopped(scope, asked)
    scope.emit({ type: 'review-end', ...span, verdict })
    return verdict
  } catch (error) {
    scope.emit({ type: 'review-end', ...span, error: CodeActError.json(error) })
    throw error
  }
}

/** An agent, as far as a review needs one. */
export interface ReviewingAgent {
  run(task: string, options: { readonly signal: AbortSignal; readonly parent: string }): Run<CodeActEvent, RunResult>
}
