import type { Action, ActionParser, Execution, Finish, Observation } from '@codeact/spec'

/** What a stop rule looks at: one step, after its code ran. */
export interface StepView {
  /** Of the run's steps, from 1. */
  readonly index: number
  /** What the model said outside code. */
  readonly text: string
  readonly actions: readonly Action[]
  readonly executions: readonly Execution[]
  /** What the model is to be told of each action. */
  readonly observations: readonly Observation[]
  readonly finish: Finish
}

/** Gives the answer when a step ends the run, undefined when it does not. */
export type StopRule = (step: StepView) => string | undefined

/** An answer that the parser marked as such. */
export function answerTag(): StopRule {
  return (step) => (allRan(step) ? step.actions.find((action) => action.type === 'answer')?.text : undefined)
}

/**
 * A line that begins with the word `DONE`, outside code. The answer is what follows it, or what the model said before it when
 * nothing does. It does not count while the step's code failed, or a tool that the model called.
 */
export function doneLine(): StopRule {
  return (step) => {
    const { text } = step
    const match = /^[ \t*#>]*DONE\b(?:[\s:!*]|[.–—-](?=\s|$))*/m.exec(text)
    if (match === null || !allRan(step)) return undefined
    return text.slice(match.index + match[0].length).trim() || text.slice(0, match.index).trim()
  }
}

/** A reply without code is the answer. */
export function noCode(): StopRule {
  return ({ text, actions }) => (actions.length === 0 && text.trim() !== '' ? text.trim() : undefined)
}

/** What the first successful cell printed is the answer, when it printed something. */
export function stdoutAnswer(): StopRule {
  return ({ executions }) => executions.find(({ status }) => status === 'ok')?.stdout.trim() || undefined
}

/** A rule that counts only in steps of which the condition holds: `when(({ index }) => index > 1, noCode())`. */
export function when(condition: (step: StepView) => boolean, rule: StopRule): StopRule {
  return (step) => (condition(step) ? rule(step) : undefined)
}

/** An answer only where each of the rules finds one: that of the last. A list of rules is the other way to join them. */
export function allOf(...rules: readonly [StopRule, ...StopRule[]]): StopRule {
  return (step) => {
    const answers = rules.map((rule) => rule(step))
    return answers.includes(undefined) ? undefined : answers.at(-1)
  }
}

/** Where every reply is code, no reply is an answer, and each would be run. */
export function defaultStopRules({ isOneShot = false }: ActionParser): readonly StopRule[] {
  return isOneShot ? [answerTag(), stdoutAnswer()] : [answerTag(), doneLine(), noCode()]
}

function allRan({ executions, observations }: StepView): boolean {
  return executions.every(({ status }) => status === 'ok') && !observations.some(({ isError }) => isError)
}
