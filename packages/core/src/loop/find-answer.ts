import type { Answer } from '../answer/final-answer.ts'
import type { LoopContext } from './context.ts'
import { isCut } from './cut-code.ts'
import type { ActionsOutcome } from './run-actions.ts'
import type { StepView, StopRule } from './stop-rules.ts'

/** What a step has of an answer: one that ends the run, or what the model is told of one that does not fit its schema. */
export interface FoundAnswer {
  readonly answer?: Answer
  readonly miss?: string
}

/**
 * An answer that code gave is one. Of what the model said, the first stop rule that finds one decides; words that were cut,
 * or stand beside code that was not run, are none.
 */
export async function findAnswer(context: LoopContext, view: StepView, ran: ActionsOutcome): Promise<FoundAnswer> {
  if (ran.answer !== undefined) return { answer: ran.answer }
  if (isCut(view.finish) || ran.isHeldBack) return {}
  const text = firstAnswer(context.stopRules, view)
  if (text === undefined) return {}
  return context.finalAnswer === undefined ? { answer: { text } } : context.finalAnswer.judge(text)
}

function firstAnswer(rules: readonly StopRule[], view: StepView): string | undefined {
  for (const rule of rules) {
    const answer = rule(view)
    if (answer !== undefined) return answer
  }
  return undefined
}
