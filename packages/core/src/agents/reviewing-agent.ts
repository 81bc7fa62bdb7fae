import type { CodeAction, Verdict } from '@codeact/spec'
import type { Nest, ReviewingAgent, ReviewView } from '../control/review.ts'
import { nestedRun } from './nested-run.ts'

/** Lets an agent read code before it runs: what it answers is its verdict. */
export async function reviewBy(
  agent: ReviewingAgent,
  action: CodeAction,
  view: ReviewView,
  nest: Nest,
): Promise<Verdict> {
  const run = agent.run(question(action, view), { signal: view.signal, parent: nest.parent })
  const { answer, stop } = await nestedRun(run, nest.emit)
  // Who came to no verdict has not allowed anything.
  if (stop !== 'answer') return { deny: `The reviewer came to no verdict (${stop}).` }
  return ALLOWED.test(answer) ? 'allow' : { deny: answer }
}

const ALLOWED = /^\W*ALLOW\b/i

function question({ language, code }: CodeAction, { task, text }: ReviewView): string {
  const said = text.trim() === '' ? '' : `\n\nIts author says: ${text.trim()}`
  const fence = '`'.repeat(Math.max(3, ...[...code.matchAll(/`+/g)].map(([ticks]) => ticks.length + 1)))
  return `Another agent works on this task: ${task}

It is about to run this ${language} code:

${fence}${language}
${code}
${fence}${said}

May it run? Answer with the word ALLOW alone, or say in a few sentences what must be different: then it does not run, and its
author reads what you say. Do not work on the task yourself.`
}
