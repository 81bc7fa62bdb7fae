import type { ActionParser, LanguageModel, PromptContext } from '@codeact/spec'
import type { FinalAnswer } from '../answer/final-answer.ts'
import type { CheckedLimits } from '../budget/limits.ts'
import type { Inbox } from '../control/inbox.ts'
import type { Gate } from '../control/review.ts'
import type { Memory } from '../memory/memory.ts'
import type { Restart } from '../record/restart.ts'
import type { Checkpoints } from '../undo/checkpoints.ts'
import type { LazySandbox } from './lazy-sandbox.ts'
import type { Telling } from './observe.ts'
import type { StopRule } from './stop-rules.ts'
import type { Transcript } from './transcript.ts'

/** What the loop works with: who plays each part, and what has been said. */
export interface LoopContext {
  readonly model: LanguageModel
  readonly parser: ActionParser
  readonly sandbox: LazySandbox
  readonly transcript: Transcript
  readonly prompt: PromptContext
  readonly stopRules: readonly StopRule[]
  /** Where answers have a schema. */
  readonly finalAnswer: FinalAnswer | undefined
  readonly limits: CheckedLimits
  readonly telling: Telling
  readonly memory: Memory
  /** Whether the model is told which variables there are, where it may not know. */
  readonly inventory: boolean
  /** Who is asked before code runs. */
  readonly gates: readonly Gate[]
  /** What the user says meanwhile. */
  readonly inbox: Inbox
  /** Handed to tools by runs that have nothing else for them. */
  readonly context: unknown
  /** Where the session goes on from another one. */
  readonly restart: Restart | undefined
  /** Where steps can be undone. */
  readonly checkpoints: Checkpoints | undefined
}
