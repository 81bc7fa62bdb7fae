export type { SavedSession } from '@codeact/spec'
export { Agent, type ResumeOptions, type RunOptions, type SessionOptions } from './agent.ts'
export type { AsToolOptions } from './agents/as-tool.ts'
export type { Limits, TokenLimits } from './budget/limits.ts'
export { costOf, findPrice, type Price, type Prices } from './budget/prices.ts'
export type { OnAskUser } from './control/ask-user.ts'
export type { Review, ReviewingAgent, ReviewView } from './control/review.ts'
export { type Attempt, type Candidate, type Exploration, type ExploreOptions, explore } from './explore/explore.ts'
export {
  allOf,
  answerTag,
  doneLine,
  noCode,
  type StepView,
  type StopRule,
  stdoutAnswer,
  when,
} from './loop/stop-rules.ts'
export { type DropOldObservationsOptions, dropOldObservations } from './memory/drop-old-observations.ts'
export { type Compacted, keepAll, type Memory, type MemoryTools } from './memory/memory.ts'
export { type SummarizeOptions, summarize } from './memory/summarize.ts'
export { type CountTokens, estimateTokens } from './memory/tokens.ts'
export type { AgentOptions } from './options.ts'
export type { PromptParts } from './prompt.ts'
export type { Log } from './record/log.ts'
export type { Past } from './record/read-log.ts'
export type { RestartOptions } from './record/restart.ts'
export { Session, type SessionRunOptions } from './session.ts'
export type { ImageInput, Task, TaskInput } from './task-input.ts'
export type { FromJsonSchema } from './tools/from-json-schema.ts'
export type { SchemaSource, TypeOf } from './tools/schema-from.ts'
export type { StandardSchema } from './tools/standard-schema.ts'
export { type ToolDefinition, tool } from './tools/tool.ts'
export type { Undone } from './undo/undoable-steps.ts'
