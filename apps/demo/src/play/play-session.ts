import { Agent, type Session } from '@codeact/core'
import { CodeActError, type CodeActEvent, type Executor, type LanguageModel } from '@codeact/spec'
import { describeError } from '../report-error.ts'
import type { Demonstration, Question } from '../tasks/demonstration.ts'
import { foundIn } from './found-in.ts'
import { type Outcome, unasked } from './outcome.ts'

export interface Cast {
  readonly model: LanguageModel
  readonly executor: Executor
  readonly show: (event: CodeActEvent) => void
  readonly signal: AbortSignal
}

/**
 * Asks the questions of a demonstration, one after the other, in one session; an outcome for each. When one is not played to
 * its end, those that would go on from it are not asked.
 */
export async function* playSession(demonstration: Demonstration, cast: Cast): AsyncGenerator<Outcome, void, undefined> {
  const { parser, tools, stopRules } = demonstration
  const { model, executor } = cast
  const session = await new Agent({ model, parser, executor, tools, stopRules }).session()
  let isBroken = false
  try {
    for (const question of demonstration.questions) {
      const outcome: Outcome = isBroken
        ? unasked(demonstration, question, 'unplayed')
        : await ask(session, demonstration, question, cast)
      yield outcome
      isBroken ||= outcome.steps === undefined || outcome.status === 'stopped'
    }
  } finally {
    await session.close()
  }
}

/** What a recording says and the sandbox does not bear out is an outcome; any other failure is thrown. */
async function ask(session: Session, demonstration: Demonstration, question: Question, cast: Cast): Promise<Outcome> {
  const run = session.run(question.task, { signal: cast.signal })
  const times: number[] = []
  try {
    for await (const event of run) {
      cast.show(event)
      times.push(event.at)
    }
    const { answer, stop, steps } = await run
    const effort = { steps: steps.length, ms: (times.at(-1) ?? 0) - (times[0] ?? 0) }
    if (stop === 'aborted') return { ...unasked(demonstration, question, 'stopped'), ...effort }
    if (stop === 'answer') return { ...compare(answer, demonstration, question), ...effort }
    return { ...unasked(demonstration, question, 'mismatch', `it ended without an answer: ${stop}`), ...effort }
  } catch (error) {
    if (!CodeActError.is(error) || !error.code.startsWith('REPLAY_')) throw error
    return unasked(demonstration, question, 'mismatch', describeError(error))
  }
}

function compare(answer: string, demonstration: Demonstration, question: Question): Outcome {
  const { expected, read } = question
  const found = foundIn(relevant(answer, read), expected)
  const missing = expected.filter((wanted) => !found.includes(wanted))
  if (missing.length === 0) return { ...unasked(demonstration, question, 'ok'), answer: found.join(' ') }
  const reason = `the answer does not say ${missing.join(', ')}:\n${answer}`
  return { ...unasked(demonstration, question, 'mismatch', reason), answer }
}

function relevant(answer: string, read: Question['read']): string {
  try {
    return read === undefined ? answer : read(answer)
  } catch {
    return ''
  }
}
