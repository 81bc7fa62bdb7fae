import type { SpecVersion } from './ai-sdk-model.ts'

/** The model that is called, as its transcript depends on it. */
export interface Target {
  /** Provider and model: `openai.responses/gpt-5`. Reasoning goes back to a model of the same name alone. */
  readonly name: string
  readonly version: SpecVersion
}
