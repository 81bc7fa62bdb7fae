import type { AiSdkModel, SpecVersion } from './ai-sdk-model.ts'

/** The model that is called, and how to speak of it without giving a secret away. */
export interface Target {
  readonly model: AiSdkModel
  /** Provider and model: `openai.responses/gpt-5`. Reasoning goes back to a model of the same name alone. */
  readonly name: string
  readonly version: SpecVersion
  readonly redact: (text: string) => string
}
