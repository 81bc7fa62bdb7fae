import type { ActionParser, LanguageModel, PromptContext } from '@codeact/spec'
import type { LazySandbox } from './lazy-sandbox.ts'
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
  readonly maxSteps: number
  /** Handed to tools. */
  readonly context: unknown
}
