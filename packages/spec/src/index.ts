export type { Action, AnswerAction, CodeAction, InvalidAction, ToolAction } from './action.ts'
export {
  type ActionEvent,
  type ActionParser,
  type ActionReader,
  actionsOf,
  type ParserPicker,
  type PromptContext,
  type ToolDeclaration,
} from './action-parser.ts'
export type { CallRecord, CellRecord } from './cell-record.ts'
export { CodeActError, type CodeActErrorOptions, type ErrorJson } from './error.ts'
export {
  type CellEvent,
  type CodeActEvent,
  type Compaction,
  type EventBody,
  type EventHead,
  eventStamp,
  type ModelOutcome,
  type Opening,
  type Progress,
  type RunOutcome,
  type Undo,
} from './event.ts'
export type { Execution, ExecutionError, ExecutionStatus, MimeBundle, Rollback, ValueBundle } from './execution.ts'
export type { Executor, OpenOptions } from './executor.ts'
export { newId } from './id.ts'
export { invokeTool } from './invoke-tool.ts'
export type { JsonSchema, JsonValue } from './json.ts'
export type { Finish, LanguageModel, ModelEvent, ModelRequest, Usage } from './language-model.ts'
export type {
  AssistantMessage,
  ImagePart,
  Message,
  ReasoningPart,
  SystemMessage,
  TextPart,
  ToolCallPart,
  ToolMessage,
  UserMessage,
} from './message.ts'
export { joinObservations, type Observation } from './observation.ts'
export { orAborted } from './or-aborted.ts'
export type { Verdict } from './review.ts'
export { Run, type RunBody } from './run.ts'
export type {
  Capabilities,
  ExecuteOptions,
  LanguageInfo,
  PromiseException,
  PromiseName,
  Sandbox,
  Variable,
} from './sandbox.ts'
export type { ArchiveLimits, FileEntry, SandboxFiles } from './sandbox-files.ts'
export type { SavedSession } from './saved-session.ts'
export type { Schema, Validation } from './schema.ts'
export type { LimitReached, NestedRun, RunResult, Step, StopReason } from './step.ts'
export type { Tool, ToolCall, ToolContext, ToolOutcome } from './tool.ts'
export type { ToolEndOutcome } from './tool-end-outcome.ts'
