import type { RunResult } from '@codeact/spec'
import type { Style } from './style.ts'
import { count } from './verdict.ts'

const REASONS: Readonly<Record<Exclude<RunResult['stop'], 'answer'>, string>> = {
  'max-steps': 'no answer: --max-steps allows more turns',
  budget: 'no answer: a limit was reached',
  stuck: 'no answer: it went in circles',
  refusal: 'no answer: the model refused',
  aborted: 'stopped',
}

/** How a run ended, in a line below it. */
export function closing({ stop, steps, usage, limit }: RunResult, style: Style): string {
  const tokens = usage.inputTokens + usage.outputTokens
  const effort = [count(steps.length, 'step'), ...(tokens === 0 ? [] : [count(tokens, 'token')])].join(', ')
  if (stop === 'answer') return `\n  ${style.dim(effort)}`
  return `\n  ${style.yellow(stop === 'budget' && limit ? `${REASONS.budget}: ${limit.name} ${limit.allowed}` : REASONS[stop])}${style.dim(`  ${effort}`)}`
}
