import type { ActionParser, LanguageModel, PromptContext, SystemMessage } from '@codeact/spec'
import { reviewBy } from './agents/reviewing-agent.ts'
import { FinalAnswer } from './answer/final-answer.ts'
import { type CheckedLimits, checkLimits } from './budget/limits.ts'
import { askUser } from './control/ask-user.ts'
import { Inbox } from './control/inbox.ts'
import type { Gate } from './control/review.ts'
import type { LoopContext } from './loop/context.ts'
import { LazySandbox } from './loop/lazy-sandbox.ts'
import { defaultStopRules } from './loop/stop-rules.ts'
import { Transcript } from './loop/transcript.ts'
import { keepAll } from './memory/memory.ts'
import { estimateTokens } from './memory/tokens.ts'
import { type AgentOptions, checkObservationTokens } from './options.ts'
import { joinParts, promptParts } from './prompt.ts'
import type { Restart } from './record/restart.ts'
import type { Checkpoints } from './undo/checkpoints.ts'

/**
 * What a session works with, made of an agent's options. Throws `OPTION_INVALID` and `PRICE_UNKNOWN`.
 *
 * @param restart what it goes on from: then the transcript is that of before, system prompt included
 * @param checkpoints where steps can be undone
 */
export function openContext(options: AgentOptions, restart?: Restart, checkpoints?: Checkpoints): LoopContext {
  const { model, executor, context } = options
  const { memory = keepAll(), inventory = true, vision = true } = options
  const { countTokens = estimateTokens, observationTokens } = options
  const finalAnswer = options.answer === undefined ? undefined : new FinalAnswer(options.answer)
  const tools = toolsOf(options, finalAnswer)
  const prompt: PromptContext = { languages: executor.languages, tools, model: model.id }
  const parser = typeof options.parser === 'function' ? options.parser(prompt) : options.parser
  const transcript = new Transcript(countTokens)
  for (const message of restart?.past.messages ?? [systemPrompt(options, parser, prompt)]) transcript.push(message)
  const sandbox = new LazySandbox(executor, tools)
  const telling = { tokens: checkObservationTokens(observationTokens), countTokens, vision }
  const parts = {
    model,
    parser,
    sandbox,
    transcript,
    prompt,
    stopRules: options.stopRules ?? defaultStopRules(parser),
    finalAnswer,
    memory,
    inventory,
    telling,
    context,
    restart,
    checkpoints,
  }
  return { ...parts, limits: limitsOf(options), gates: gatesOf(options), inbox: new Inbox() }
}

function systemPrompt(
  { prompt = joinParts, instructions }: AgentOptions,
  parser: ActionParser,
  context: PromptContext,
): SystemMessage {
  return { role: 'system', content: prompt(promptParts(parser, context, instructions)) }
}

function toolsOf({ tools = [], onAskUser }: AgentOptions, finalAnswer: FinalAnswer | undefined) {
  return [
    ...tools,
    ...(onAskUser === undefined ? [] : [askUser(onAskUser)]),
    ...(finalAnswer === undefined ? [] : [finalAnswer.tool]),
  ]
}

function limitsOf({ limits = {}, prices = {}, model, memory }: AgentOptions): CheckedLimits {
  const models: LanguageModel[] = [model, ...(memory?.model === undefined ? [] : [memory.model])]
  return checkLimits(limits, models, prices)
}

function gatesOf({ approve, reviewer }: AgentOptions): readonly Gate[] {
  const gates: Gate[] = []
  if (typeof reviewer === 'function') gates.push({ by: 'reviewer', ask: reviewer })
  else if (reviewer !== undefined) {
    gates.push({ by: 'reviewer', ask: (action, view, nest) => reviewBy(reviewer, action, view, nest) })
  }
  if (approve !== undefined) gates.push({ by: 'approve', ask: approve })
  return gates
}
