import type { RunResult } from '@codeact/spec'
import type { Style } from './style.ts'
import { count } from './verdict.ts'

const REASONS: Readonly<Record<Exclude<RunResult['stop'], 'answer'>, string>> = {
  'max-steps': 'no answer: --max-steps allows more turns',
  budget: 'no answer: the budget is used up',
  stuck: 'no answer: it went in circles',
  refusal: 'no answer: the model refused',
  aborted: 'stopped',
}

/** How a run ended, in a line below it. */
export function closing({ stop, steps, usage }: RunResult, style: Style): string {
  const tokens = usage.inputTokens + usage.outputTokens
  const effort = [count(steps.length, 'step'), ...(tokens === 0 ? [] : [count(tokens, 'token')])].join(', ')
  if (stop === 'answer') return `\n  ${style.dim(effort)}`
  return `\n  ${style.yellow(REASONS[stop])}${style.dim(`  ${effort}`)}`
}
