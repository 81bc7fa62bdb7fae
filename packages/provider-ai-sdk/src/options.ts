import type { JsonValue } from '@codeact/spec'

export interface AiSdkOptions {
  /** How often a call that failed before anything of its reply came is tried again, with growing pauses. Default 2. */
  readonly maxRetries?: number
  /**
   * More options for every call, in the AI SDK's own words: `{ maxOutputTokens: 4000, providerOptions: { … } }`. What the
   * adapter itself writes (`prompt`, `tools`, `stopSequences`, `abortSignal`) cannot be replaced. Default: none.
   */
  readonly request?: Readonly<Record<string, JsonValue>>
}
