import {
  type ActionParser,
  CodeActError,
  type Executor,
  type LanguageModel,
  type ParserPicker,
  type Tool,
} from '@codeact/spec'
import type { Limits } from './budget/limits.ts'
import type { Prices } from './budget/prices.ts'
import type { OnAskUser } from './control/ask-user.ts'
import type { Review, ReviewingAgent } from './control/review.ts'
import type { StopRule } from './loop/stop-rules.ts'
import type { Memory } from './memory/memory.ts'
import type { CountTokens } from './memory/tokens.ts'
import type { PromptParts } from './prompt.ts'
import type { SchemaSource } from './tools/schema-from.ts'

export interface AgentOptions<AnswerSchema extends SchemaSource = SchemaSource> {
  readonly model: LanguageModel
  /** Who reads; or a function that picks one for the model, such as `auto()`. */
  readonly parser: ActionParser | ParserPicker
  readonly executor: Executor
  /** Functions that the code may call. */
  readonly tools?: readonly Tool[]
  /** Added to the system prompt. */
  readonly instructions?: string
  /** Puts the system prompt together, of its parts or of others. Default: the parts, in the order in which they are named. */
  readonly prompt?: (parts: PromptParts) => string
  /**
   * The form of the answer: a Standard Schema, or a JSON Schema. The code gives it by `final_answer(value)`, a tool that is
   * then there; the run gives it as `result.value`. Another form goes back to the model, with what is wrong about it.
   */
  readonly answer?: AnswerSchema
  /**
   * What ends a run with an answer; the first rule that finds one wins. Default: an answer tag, a line that begins with
   * `DONE`, a reply without code; where every reply is code, what it printed.
   */
  readonly stopRules?: readonly StopRule[]
  /** What one run may take. Default: 20 steps, and the same not more than three times. */
  readonly limits?: Limits
  /** What models cost, by model id, for `limits.cost`. Goes before the list that is built in. */
  readonly prices?: Prices
  /** What becomes of a transcript that grows too long. Default `keepAll()`. */
  readonly memory?: Memory
  /** Tokens that the model is shown of what one block gave: its head and its tail. Default 2,500. */
  readonly observationTokens?: number
  /** Counts tokens for `memory` and `observationTokens`. Default: an estimate, a token for four ASCII characters or one other. */
  readonly countTokens?: CountTokens
  /** False for a model that sees no images: it is told that there were some. Default true. */
  readonly vision?: boolean
  /** Whether the model is told which variables there are, after a compaction and where state was lost. Default true. */
  readonly inventory?: boolean
  /** Asked before code runs, after the reviewer. */
  readonly approve?: Review
  /** Reads code before it runs: a function, or an agent, which answers `ALLOW` or says what must be different. */
  readonly reviewer?: Review | ReviewingAgent
  /** Answers the questions that code asks by `ask_user(question)`, a tool that is then there. */
  readonly onAskUser?: OnAskUser
  /** Handed to tools as `context.context`, unless a run has one of its own. */
  readonly context?: unknown
}

const DEFAULT_OBSERVATION_TOKENS = 2500

/** @throws CodeActError `OPTION_INVALID` */
export function checkObservationTokens(tokens = DEFAULT_OBSERVATION_TOKENS): number {
  if (tokens >= 1) return tokens
  throw new CodeActError('OPTION_INVALID', `observationTokens must be a number of at least 1, not ${tokens}.`)
}
