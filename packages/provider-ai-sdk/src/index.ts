export { aiSdk } from './ai-sdk.ts'
export type { AiSdkModel, PartStream, Streamed } from './ai-sdk-model.ts'
export type { AiSdkOptions } from './options.ts'
